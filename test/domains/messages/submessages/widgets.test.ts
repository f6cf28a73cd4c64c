import assert from 'node:assert/strict';
import { BAD_REQUEST, inWorlds, listening, refusal, say } from '../in-worlds.ts';
import { change, POLL, sent, submessages, TODO, VOTE } from './widget-messages.ts';

inWorlds('POLL: the content of a poll cannot be edited, but its topic can, and it keeps its votes', async (world) => {
  const { as, channels } = world;
  await sent(POLL)(world);
  const message_id = world.kept.widget ?? 0;
  await as('cordelia').messages.addSubmessage({ message_id, content: change(VOTE) });
  const before = await submessages(world);
  const { edit } = as('hamlet').messages;
  assert.deepEqual(await refusal(edit({ message_id, content: 'Lunch!' })), BAD_REQUEST);
  assert.deepEqual(await refusal(edit({ message_id, content: 'Lunch!', topic: 'food' })), BAD_REQUEST);
  await edit({ message_id, topic: 'food' });
  await edit({ message_id, stream_id: channels.webPublic });
  assert.deepEqual(await submessages(world, 'hamlet'), before);
  await as('hamlet').messages.addSubmessage({ message_id, content: change(VOTE) });
});

inWorlds('POLL: deleting a poll deletes its votes, also in the storage', async (world) => {
  await sent(TODO)(world);
  const message_id = world.kept.widget ?? 0;
  await world.as('cordelia').messages.addSubmessage({ message_id, content: '{"type":"strike","key":"0,canned"}' });
  await world.as('hamlet').messages.delete({ message_id });
  assert.deepEqual(await world.storage.read((tx) => tx.submessages.of([message_id])), []);
  const gone = world.as('cordelia').messages.addSubmessage({ message_id, content: change(VOTE) });
  assert.deepEqual(await refusal(gone), BAD_REQUEST);
});

inWorlds('POLL: an ordinary message cannot become a poll by an edit', async (world) => {
  await sent('Lunch?')(world);
  await world.as('hamlet').messages.edit({ message_id: world.kept.widget ?? 0, content: POLL });
  assert.deepEqual(await submessages(world), []);
});

inWorlds('POLL: the participants of a direct conversation vote among themselves', async (world) => {
  const { as, users } = world;
  const { id: message_id } = await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: POLL });
  const heard = await listening(world, ['hamlet', 'cordelia', 'owner']);
  await as('cordelia').messages.addSubmessage({ message_id, content: change(VOTE) });
  for (const user of ['hamlet', 'cordelia'] as const) {
    const [{ submessage_id, ...event }] = await heard(user);
    const { cordelia: sender_id } = users;
    assert.deepEqual(event, { type: 'submessage', msg_type: 'widget', message_id, sender_id, content: change(VOTE) });
  }
  assert.deepEqual(await heard('owner'), []);
});

inWorlds('POLL: a scheduled message starts its poll when it is sent', async (world) => {
  const { as, channels, chat, clock } = world;
  const scheduled_delivery_timestamp = Math.floor(clock.now() / 1000) + 60;
  const message = { type: 'channel', to: channels.public, topic: 'later', content: POLL } as const;
  await as('hamlet').scheduledMessages.create({ ...message, scheduled_delivery_timestamp });
  clock.advance({ seconds: 60 });
  await chat.runDue();
  const { messages } = await as('cordelia').messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
  assert.match(messages[0]?.submessages[0]?.content ?? '', /"widget_type":"poll"/);
});

inWorlds('POLL: a dry run of a vote shows its event and stores nothing', async (world) => {
  await sent(POLL)(world);
  const message_id = world.kept.widget ?? 0;
  const trial = world.as('cordelia').dryRun.messages.addSubmessage({ message_id, content: change(VOTE) });
  assert.deepEqual(
    (await trial).events.map(({ type }) => type),
    ['submessage'],
  );
  assert.equal((await submessages(world)).length, 1);
});

inWorlds('POLL: the changes of a user have 200,000 characters at most, and each counts as 100 more', async (world) => {
  const { storage, users } = world;
  const size = change(VOTE).length + 100;
  for (const beyond of [0, 1]) {
    const message_id = await say(world, 'hamlet', world.channels.public, 'acts', POLL);
    const content = 'x'.repeat(200_000 - size - 100 + beyond);
    const earlier = { message_id, sender_id: users.cordelia, msg_type: 'widget', content };
    await storage.write((tx) => tx.submessages.add(earlier));
    const adding = world.as('cordelia').messages.addSubmessage({ message_id, content: change(VOTE) });
    if (beyond === 0) await adding;
    else assert.deepEqual(await refusal(adding), BAD_REQUEST);
  }
});

inWorlds(
  'POLL: one user can fill only a part of a poll, and all users together fill at most its limit',
  async (world) => {
    const { storage, users } = world;
    const message_id = await say(world, 'hamlet', world.channels.public, 'acts', POLL);
    const add = (user: 'hamlet' | 'cordelia') =>
      world.as(user).messages.addSubmessage({ message_id, content: change(VOTE) });
    const fill = (sender_id: number, count: number) =>
      storage.write(async (tx) => {
        const content = JSON.stringify({ type: 'new_option', option: 'x'.repeat(9_900), idx: 1 });
        for (let n = 0; n < count; n++)
          await tx.submessages.add({ message_id, sender_id, msg_type: 'widget', content });
      });
    await fill(users.cordelia, 20);
    assert.deepEqual(await refusal(add('cordelia')), BAD_REQUEST);
    await add('hamlet');
    for (const user of [users.moderator, users.administrator, users.owner, users.secondOwner]) {
      const { all, own } = await storage.read((tx) => tx.submessages.summary(message_id, user));
      await fill(user, Math.floor((1_000_000 - all + own) / 4 / 10_050));
    }
    // Five users have reached their limits, and a quarter of the rest is still available to others.
    await add('hamlet');
    await fill(users.moderator, 80);
    assert.deepEqual(await refusal(add('hamlet')), BAD_REQUEST);
  },
);
