import assert from 'node:assert/strict';
import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import { CHANNELS } from '../../world/fixture.ts';
import { inWorlds, listening, say } from './in-worlds.ts';

const TYPING = { stream_typing_notifications: true, empty_topic_name: true };

inWorlds('subscribers of a channel get the typing events of new messages and edits', async (world) => {
  const { as, users, channels, emails } = world;
  const id = await say(world, 'hamlet', channels.public, 'ghosts');
  const received = await listening(world, ['cordelia', 'moderator'], TYPING);
  await as('hamlet').typing.send({ op: 'start', type: 'stream', stream_id: channels.public, topic: ' ghosts ' });
  await as('hamlet').typing.sendEdit({ message_id: id, op: 'stop' });
  assert.deepEqual(await received('cordelia'), [
    {
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      stream_id: channels.public,
      topic: 'ghosts',
      sender: { user_id: users.hamlet, email: emails.hamlet },
    },
    {
      type: 'typing_edit_message',
      op: 'stop',
      sender_id: users.hamlet,
      message_id: id,
      recipient: { type: 'channel', channel_id: channels.public, topic: 'ghosts' },
    },
  ]);
  assert.deepEqual(await received('moderator'), []);
});

inWorlds('in protected history, only recipients of a message get the typing event of its edit', async (world) => {
  const { as, users, channels } = world;
  const id = await say(world, 'cordelia', channels.protected, 'gold');
  const principals = [users.moderator];
  const joining = { subscriptions: [{ name: CHANNELS.protected }], send_new_subscription_messages: false };
  await as('cordelia').subscriptions.add({ ...joining, principals });
  const received = await listening(world, ['guest', 'moderator'], TYPING);
  await as('cordelia').typing.sendEdit({ message_id: id, op: 'start' });
  assert.deepEqual(
    (await received('guest')).map(({ type }) => type),
    ['typing_edit_message'],
  );
  assert.deepEqual(await received('moderator'), []);
});

inWorlds('typing in a channel of more than 100 subscribers sends no event', async (world) => {
  const { as, channels, storage, clock } = world;
  const join = (from: number, to: number) =>
    storage.write(async (tx) => {
      for (let at = from; at < to; at++) {
        const email = `extra-${at}@example.com`;
        const { id } = await tx.users.create(
          newAccount({ email, full_name: `Extra ${at}`, role: 400, now: clock.now() }),
        );
        await tx.subscriptions.add([{ user_id: id, channel_id: channels.public, color: '#76ce90' }]);
      }
    });
  const received = await listening(world, ['cordelia'], TYPING);
  const typing = { op: 'start', type: 'channel', stream_id: channels.public, topic: 'ghosts' } as const;
  // With the three subscribers of the fixture.
  await join(0, 97);
  await as('hamlet').typing.send(typing);
  assert.equal((await received('cordelia')).filter(({ type }) => type === 'typing').length, 1);
  await join(97, 98);
  await as('hamlet').typing.send({ ...typing, topic: 'more' });
  const topics = (await received('cordelia')).filter(({ type }) => type === 'typing').map(({ topic }) => topic);
  assert.deepEqual(topics, ['ghosts']);
});
