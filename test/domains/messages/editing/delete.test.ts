import assert from 'node:assert/strict';
import { followed } from '../follower.ts';
import { BAD_REQUEST, inWorlds, listening, refusal, say } from '../in-worlds.ts';

inWorlds('deleting a message deletes its flags, reactions and edits', async (world) => {
  const { as, channels, storage, users } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts');
  await as('hamlet').messages.edit({ message_id, content: 'changed' });
  await as('cordelia').messages.addReaction({ message_id, emoji_name: 'tada' });
  await as('cordelia').messages.updateFlags({ messages: [message_id], op: 'add', flag: 'starred' });
  const heard = await listening(world, ['hamlet', 'cordelia', 'guest']);
  assert.deepEqual(await as('hamlet').messages.delete({ message_id }), {});
  const event = {
    type: 'delete_message',
    message_ids: [message_id],
    message_type: 'stream',
    stream_id: channels.public,
    topic: 'acts',
  };
  assert.deepEqual(await heard('hamlet'), [event]);
  assert.deepEqual(await heard('cordelia'), [event]);
  assert.deepEqual(await heard('guest'), []);
  assert.deepEqual(await refusal(as('hamlet').messages.get({ message_id })), BAD_REQUEST);
  await storage.read(async (tx) => {
    assert.deepEqual(await tx.reactions.of([message_id]), []);
    assert.deepEqual(await tx.flags.messagesWith(users.cordelia, 'starred', 10), []);
  });
  const { topics } = await as('hamlet').topics.list({ stream_id: channels.public });
  assert.ok(!topics.some(({ name }) => name === 'acts'));
});

inWorlds('a delete event has message_id for clients without bulk_message_deletion', async (world) => {
  const { as, users } = world;
  const { id: message_id } = await as('hamlet').messages.send({
    type: 'direct',
    to: [users.cordelia],
    content: 'dear',
  });
  const heard = await listening(world, ['cordelia'], {});
  await as('hamlet').messages.delete({ message_id });
  assert.deepEqual(await heard('cordelia'), [{ type: 'delete_message', message_id, message_type: 'private' }]);
});

inWorlds('deleting any message needs a permission of the organization or of the channel', async (world) => {
  const { as, channels, storage, users } = world;
  await world.settings({ can_delete_own_message_group: 1, can_delete_any_message_group: 1 });
  const message_id = await say(world, 'hamlet', channels.public, 'acts');
  assert.deepEqual(await refusal(as('hamlet').messages.delete({ message_id })), BAD_REQUEST);
  const settings = { can_delete_any_message_group: { direct_members: [users.cordelia], direct_subgroups: [] } };
  await storage.write((tx) => tx.channels.update(channels.public, { settings }).then(() => undefined));
  assert.deepEqual(await refusal(as('administrator').messages.delete({ message_id })), BAD_REQUEST);
  await as('cordelia').messages.delete({ message_id });
});

inWorlds('the owner of a bot deletes a message of the bot', async (world) => {
  const message_id = await say(world, 'bot', world.channels.public, 'acts');
  assert.deepEqual(await refusal(world.as('cordelia').messages.delete({ message_id })), BAD_REQUEST);
  await world.as('hamlet').messages.delete({ message_id });
});

inWorlds('the events of deletions give a client the same state as a new register', async (world) => {
  const { as, channels } = world;
  const ids = [
    await say(world, 'hamlet', channels.public, 'acts'),
    await say(world, 'cordelia', channels.public, 'acts'),
  ];
  await followed(world, ['hamlet', 'cordelia', 'administrator'], async () => {
    await as('cordelia').messages.updateFlags({ messages: ids, op: 'add', flag: 'starred' });
    await as('administrator').messages.delete({ message_id: ids[1] as number });
    await as('cordelia').subscriptions.remove({ subscriptions: ['Denmark'] });
    await as('hamlet').messages.delete({ message_id: ids[0] as number });
  });
});
