import assert from 'node:assert/strict';
import { followed } from '../follower.ts';
import { BAD_REQUEST, inWorlds, listening, message, refusal, say } from '../in-worlds.ts';

const OBSERVERS = ['owner', 'administrator', 'moderator', 'hamlet', 'cordelia', 'guest'] as const;

inWorlds('an edit replaces the content, and all recipients of the message get the event', async (world) => {
  const { as, channels, clock, users, messages } = world;
  const heard = await listening(world, ['hamlet', 'cordelia', 'guest']);
  clock.advance({ seconds: 60 });
  const id = await say(world, 'hamlet', channels.public, 'ghosts', 'Old *words*');
  const answer = await as('hamlet').messages.edit({ message_id: id, content: '/me says new words  \n' });
  assert.deepEqual(answer, { detached_uploads: [] });
  const timestamp = Math.floor(clock.now() / 1000);
  const edited = await message(world, 'cordelia', id);
  assert.equal((await message(world, 'cordelia', id, true)).content, '/me says new words');
  assert.equal(edited.last_edit_timestamp, timestamp);
  assert.equal(edited.is_me_message, true);
  const event = {
    type: 'update_message',
    user_id: users.hamlet,
    rendering_only: false,
    message_id: id,
    message_ids: [id],
    edit_timestamp: timestamp,
    stream_id: channels.public,
    stream_name: 'Denmark',
    orig_content: 'Old *words*',
    orig_rendered_content: '<p>Old <em>words</em></p>',
    content: '/me says new words',
    rendered_content: edited.content,
    is_me_message: true,
    flags: [],
  };
  assert.deepEqual((await heard('cordelia'))[1], event);
  assert.deepEqual((await heard('hamlet'))[1], event);
  assert.deepEqual(await heard('guest'), []);
  assert.ok(messages.ghost < id);
});

inWorlds("an edit event has the reader's own flags", async (world) => {
  const { as, channels } = world;
  const id = await say(world, 'hamlet', channels.public, 'ghosts');
  await as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
  await as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'starred' });
  const heard = await listening(world, ['cordelia', 'administrator']);
  await as('hamlet').messages.edit({ message_id: id, content: 'changed' });
  assert.deepEqual((await heard('cordelia'))[0].flags.sort(), ['read', 'starred']);
  assert.deepEqual((await heard('administrator'))[0].flags, []);
});

inWorlds('a direct message can be edited and not moved', async (world) => {
  const { as, channels } = world;
  const { id } = await as('hamlet').messages.send({ type: 'direct', to: [world.users.cordelia], content: 'dear' });
  const heard = await listening(world, ['cordelia']);
  await as('hamlet').messages.edit({ message_id: id, content: 'dearest' });
  const [event] = await heard('cordelia');
  assert.equal(event.content, 'dearest');
  assert.ok(!('stream_id' in event));
  assert.deepEqual(await refusal(as('hamlet').messages.edit({ message_id: id, topic: 'x' })), BAD_REQUEST);
  assert.deepEqual(
    await refusal(as('hamlet').messages.edit({ message_id: id, stream_id: channels.public })),
    BAD_REQUEST,
  );
});

inWorlds('an edit to the present topic leaves no history, and one to the present content does', async (world) => {
  const id = await say(world, 'hamlet', world.channels.public, 'ghosts', 'same');
  const heard = await listening(world, ['hamlet', 'cordelia']);
  const snapshots = async () => (await world.as('hamlet').messages.history({ message_id: id })).message_history.length;
  await world.as('hamlet').messages.edit({ message_id: id, topic: ' ghosts' });
  assert.deepEqual(await heard('hamlet'), []);
  assert.equal(await snapshots(), 1);
  await world.as('hamlet').messages.edit({ message_id: id, content: 'same ' });
  assert.equal((await heard('hamlet')).length, 1);
  assert.equal(await snapshots(), 2);
});

inWorlds('the events of edits and reactions give a client the same state as a new register', async (world) => {
  const { as, channels } = world;
  const id = await say(world, 'hamlet', channels.public, 'ghosts');
  const other = await say(world, 'cordelia', channels.public, 'ghosts');
  await followed(world, OBSERVERS, async () => {
    await as('hamlet').messages.addReaction({ message_id: other, emoji_name: 'tada' });
    await as('hamlet').messages.edit({ message_id: id, content: 'one' });
    await as('cordelia').messages.updateFlags({ messages: [id, other], op: 'add', flag: 'starred' });
    await as('administrator').messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
    await as('cordelia').messages.addReaction({ message_id: other, emoji_name: 'tada' });
    await as('hamlet').messages.removeReaction({ message_id: other, emoji_name: 'tada' });
    await as('hamlet').messages.edit({ message_id: id, content: '/me two', topic: 'spirits' });
    await as('administrator').messages.updateFlags({ messages: [id], op: 'remove', flag: 'read' });
    await as('cordelia')
      .messages.delete({ message_id: other })
      .catch(() => undefined);
  });
});
