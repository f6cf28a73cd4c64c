import assert from 'node:assert/strict';
import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import type { Role } from '../../../lib/model/users.ts';
import { systemGroupId } from '../../../lib/rules/roles.ts';
import { CHANNELS } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { inWorlds, listening, message, say } from '../messages/in-worlds.ts';

/** Creates this many accounts of one role. */
function accounts({ storage, clock }: World, role: Role, count: number): Promise<number[]> {
  return storage.write(async (tx) => {
    const ids = [];
    for (let at = 0; at < count; at++) {
      const email = `extra-${role}-${at}@example.com`;
      ids.push((await tx.users.create(newAccount({ email, full_name: `Extra ${at}`, role, now: clock.now() }))).id);
    }
    return ids;
  });
}

const restrict = (world: World) => world.settings({ can_access_all_users_group: systemGroupId('role:members') });
const adding = (principals: number[]) => ({
  subscriptions: [{ name: CHANNELS.quiet }],
  principals,
  send_new_subscription_messages: false,
});

inWorlds('a restricted guest who joins a channel gets an event for each of its 1,000 subscribers', async (world) => {
  const { as, users } = world;
  await restrict(world);
  await as('owner').subscriptions.add(adding(await accounts(world, 400, 1_000)));
  const { queue_id } = await as('guest').register({ event_types: ['realm_user'], fetch_event_types: [] });
  await as('owner').subscriptions.add(adding([users.guest]));
  const { events } = await as('guest').events.list({ queue_id, last_event_id: -1, dont_block: true });
  assert.equal(new Set(events.map((event) => (event as { person?: { user_id: number } }).person?.user_id)).size, 1_000);
});

inWorlds(
  'queues of many restricted guests end when they meet many users at once, other queues do not',
  async (world) => {
    const { as, users, chat } = world;
    await restrict(world);
    const guests = await accounts(world, 600, 150);
    await as('owner').subscriptions.add(adding([...guests, users.hamlet]));
    const poll = async (user: number) => {
      const session = chat.as(user);
      const { queue_id } = await session.register({ fetch_event_types: [] });
      return () => session.events.list({ queue_id, last_event_id: -1, dont_block: true });
    };
    const [guest, member, elsewhere] = [
      await poll(guests[0] as number),
      await poll(users.hamlet),
      await poll(users.guest),
    ];
    const newcomers = await accounts(world, 400, 150);
    await as('owner').subscriptions.add(adding(newcomers));
    await assert.rejects(guest(), { code: 'BAD_EVENT_QUEUE_ID' });
    assert.deepEqual(
      (await member()).events.map(({ type }) => type),
      ['subscription'],
    );
    assert.deepEqual((await elsewhere()).events, []);
    const { members } = await chat.as(guests[0] as number).users.list();
    const seen = members.filter(({ full_name }) => full_name.startsWith('Extra'));
    assert.equal(seen.length, guests.length + newcomers.length);
  },
);

inWorlds('a restricted guest gets "Unknown user" as the sender of messages of a hidden user', async (world) => {
  const { as, users, emails, channels } = world;
  const writers = async (id: number) => {
    const { sender_full_name, sender_email, avatar_url } = await message(world, 'guest', id);
    return { sender_full_name, sender_email, avatar_url };
  };
  const known = await say(world, 'hamlet', channels.webPublic, 'ships');
  const before = await writers(known);
  assert.deepEqual([before.sender_full_name, before.sender_email], ['Hamlet', emails.hamlet]);
  await restrict(world);
  assert.deepEqual(await writers(known), before);
  const client_capabilities = {
    stream_typing_notifications: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
  };
  const received = await listening(world, ['guest', 'hamlet'], client_capabilities);
  const unknown = {
    sender_full_name: 'Unknown user',
    sender_email: `user${users.moderator}@chat.example.com`,
    avatar_url: '/static/unknown-user-avatar.png',
  };
  await as('moderator').typing.send({ op: 'start', type: 'channel', stream_id: channels.webPublic, topic: 'ships' });
  const outside = await say(world, 'moderator', channels.webPublic, 'ships');
  assert.deepEqual(await writers(outside), unknown);
  const [told, ...more] = await received('guest');
  const { sender_full_name, sender_email, avatar_url } = told.message;
  assert.deepEqual([{ sender_full_name, sender_email, avatar_url }, more], [unknown, []]);
  assert.equal('strangers' in told, false);
  const others = await received('hamlet');
  assert.deepEqual(
    others.map((event) => event.message?.sender_full_name ?? event.sender.user_id),
    [users.moderator, 'Mona Moderator'],
  );
  await as('moderator').subscriptions.add({ subscriptions: [{ name: CHANNELS.webPublic }] });
  assert.equal((await writers(outside)).sender_full_name, 'Mona Moderator');
  await as('hamlet').subscriptions.remove({ subscriptions: [CHANNELS.webPublic] });
  await as('hamlet').subscriptions.remove({ subscriptions: [CHANNELS.default] });
  assert.equal((await writers(known)).sender_full_name, 'Unknown user');
});
