import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testOn } from '../../../support/engines.ts';
import { bothEngines } from '../../../world/copies.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { twoProcesses } from '../../../world/processes.ts';
import { inWorlds, listening, refusal, say } from '../../messages/in-worlds.ts';

const REFUSED = { code: 'DIRECT_MESSAGE_REFUSED', status: 400 };

for (const engine of bothEngines) {
  describe(`blocks in two processes, on ${engine.name}`, () => {
    testOn(engine)('a block and its end hold at once in another process, which has cached the mutes', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { users } = here;
      const send = () => there.as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'Hello?' });
      await here.as('cordelia').mutedUsers.add({ muted_user_id: users.hamlet });
      await send();
      await here.as('cordelia').users.block({ user_id: users.hamlet });
      assert.deepEqual(await refusal(send()), REFUSED);
      await here.as('cordelia').users.unblock({ user_id: users.hamlet });
      await send();
    });
  });
}

inWorlds('a blocker gets no notice of what a blocked user did', async (world) => {
  const { as, users } = world;
  await as('cordelia').users.block({ user_id: users.hamlet });
  const received = await listening(world, ['cordelia', 'newcomer']);
  const principals = [users.cordelia, users.newcomer];
  await as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.quiet }], principals });
  await say(world, 'hamlet', world.channels.quiet, 'north', '@**Cordelia** look');
  const types = async (user: 'cordelia' | 'newcomer') =>
    (await received(user)).filter(({ type }) => type === 'message' || type === 'user_topic').map(({ flags }) => flags);
  assert.deepEqual(await types('newcomer'), [[], []]);
  assert.deepEqual(await types('cordelia'), [['read', 'mentioned']]);
});

inWorlds('a blocked user finds no trace of the block', async ({ as, users, messages }) => {
  const seen = async () => {
    const { users: own, messages: said, register, presence } = as('hamlet');
    const { queue_id: _, ...state } = await register({ slim_presence: true });
    return {
      state,
      users: await own.list(),
      person: await own.get({ user_id: users.cordelia }),
      receipts: await said.readReceipts({ message_id: messages.ghost }),
      presence: await presence.list(),
      typing: await as('hamlet').typing.send({ op: 'start', to: [users.cordelia] }),
    };
  };
  // As if Cordelia had not read it: the messages of blocked users count as read.
  const before = await seen();
  await as('cordelia').users.block({ user_id: users.hamlet });
  const after = await seen();
  const stable = ({ state: { last_event_id: __, ...state }, ...rest }: typeof before) => ({ state, ...rest });
  assert.deepEqual(stable(after), stable(before));
});

inWorlds('a scheduled message is not delivered to a user who has blocked its sender since', async (world) => {
  const { as, users, clock, chat } = world;
  const scheduled_delivery_timestamp = Math.floor(clock.now() / 1000) + 60;
  const message = { type: 'direct', to: [users.cordelia], content: 'Later' } as const;
  await as('hamlet').scheduledMessages.create({ ...message, scheduled_delivery_timestamp });
  await as('cordelia').users.block({ user_id: users.hamlet });
  clock.advance({ minutes: 2 });
  await chat.runDue();
  const [scheduled] = (await as('hamlet').scheduledMessages.list()).scheduled_messages;
  assert.equal(scheduled?.failed, true);
});
