import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { expiredMessages } from '../../../lib/domains/messages/retention/index.ts';
import { registered } from '../../../lib/internal.ts';
import { processOn, untilTold } from '../../jobs/processes.ts';
import type { World } from '../../world/world.ts';
import { inWorlds, listening, refusal, say } from './in-worlds.ts';

const ALL = { bulk_message_deletion: true, empty_topic_name: true };

const isThere = async ({ storage }: World, id: number) =>
  (await storage.read((tx) => tx.messages.byId(id))) !== undefined;

/** Hamlet sends to the public channel. */
const sayMany = ({ storage, users, clock, channels }: World, topic: string, count: number) =>
  storage.write(async (tx) => {
    const { id: conversation_id } = await tx.conversations.ensureTopic(channels.public, topic);
    for (let at = 0; at < count; at++) {
      await tx.messages.create({
        conversation_id,
        sender_id: users.hamlet,
        content: 'x',
        rendered_content: '<p>x</p>',
        client: 'test',
        timestamp: Math.floor(clock.now() / 1000),
        is_me_message: false,
        read_by_sender: true,
      });
    }
  });

inWorlds(
  "messages past the organization's retention are deleted, and users who could see them get events",
  async (world) => {
    const { as, chat, clock, channels, messages } = world;
    await as('guest').messages.updateFlags({ messages: [messages.harbour], op: 'add', flag: 'starred' });
    await as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' });
    const fresh = await say(world, 'hamlet', channels.public, 'ghosts');
    await as('owner').organization.edit({ message_retention_days: 31 });
    await chat.runDue();
    assert.ok(await isThere(world, messages.ghost), 'messages are kept for thirty days');
    clock.advance({ days: 2 });
    const received = await listening(world, ['cordelia', 'guest', 'moderator'], ALL);
    await chat.runDue();
    const deletions = async (user: 'cordelia' | 'guest' | 'moderator') =>
      (await received(user)).filter(({ type }) => type === 'delete_message').map(({ type: _, ...event }) => event);
    const ofCordelia = await deletions('cordelia');
    assert.deepEqual(
      ofCordelia.filter(({ stream_id, topic }) => stream_id === channels.public && topic === 'ghosts'),
      [
        {
          message_type: 'stream',
          stream_id: channels.public,
          topic: 'ghosts',
          message_ids: [messages.ghost, messages.ghostReply],
        },
      ],
    );
    assert.deepEqual(
      ofCordelia.filter(({ message_type }) => message_type === 'private').map(({ message_ids }) => message_ids),
      [[messages.direct], [messages.group]],
    );
    assert.ok((await deletions('guest')).some(({ message_ids }) => message_ids.includes(messages.harbour)));
    assert.ok(!(await deletions('moderator')).some(({ message_ids }) => message_ids.includes(messages.direct)));
    const { starred_messages } = await as('guest').register({ fetch_event_types: ['starred_messages'] });
    assert.deepEqual(starred_messages, []);
    const left = await as('cordelia').messages.list({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [] });
    assert.deepEqual(
      left.messages.map(({ id }) => id),
      [fresh],
    );
  },
);

inWorlds("a channel's own retention overrides the organization's, and other channels use the latter", async (world) => {
  const { as, chat, clock, channels } = world;
  await as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 'unlimited' });
  await as('owner').channels.edit({ stream_id: channels.default, message_retention_days: 1 });
  await chat.runDue();
  const ids = [
    await say(world, 'hamlet', channels.public, 'x'),
    await say(world, 'hamlet', channels.default, 'x'),
    await say(world, 'hamlet', channels.webPublic, 'x'),
  ];
  const present = () => Promise.all(ids.map((id) => isThere(world, id)));
  clock.advance({ days: 2 });
  await chat.runDue();
  assert.deepEqual(await present(), [true, false, true]);
  await as('owner').organization.edit({ message_retention_days: 1 });
  await chat.runDue();
  assert.deepEqual(await present(), [true, false, false], 'a new setting applies at once');
  await as('owner').organization.edit({ message_retention_days: 'unlimited' });
  await as('owner').channels.edit({ stream_id: channels.default, message_retention_days: 'realm_default' });
  const late = await say(world, 'hamlet', channels.default, 'x');
  clock.advance({ days: 400 });
  await chat.runDue();
  assert.ok(await isThere(world, late));
  assert.equal(
    await world.storage.read((tx) => tx.retention.due()),
    undefined,
    'no search for expired messages is scheduled',
  );
});

inWorlds('a message moved to a channel with longer retention is kept for that time', async (world) => {
  const { as, chat, clock, channels } = world;
  await as('owner').channels.edit({ stream_id: channels.default, message_retention_days: 1 });
  await as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 7 });
  const message_id = await say(world, 'hamlet', channels.default, 'x');
  await as('owner').subscriptions.add({ subscriptions: [{ name: 'Square' }, { name: 'Denmark' }] });
  await as('owner').messages.edit({ message_id, stream_id: channels.public });
  clock.advance({ days: 2 });
  await chat.runDue();
  assert.ok(await isThere(world, message_id));
  clock.advance({ days: 6 });
  await chat.runDue();
  assert.ok(!(await isThere(world, message_id)));
});

inWorlds('hundreds of expired messages are deleted in steps, each in one event, with their topics', async (world) => {
  const { as, chat, clock, channels, storage } = world;
  for (let topic = 0; topic < 3; topic++) await sayMany(world, `topic ${topic}`, 150);
  await as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 1 });
  clock.advance({ days: 3 });
  const received = await listening(world, ['cordelia'], ALL);
  await chat.runDue();
  const told = (await received('cordelia')).filter(({ type }) => type === 'delete_message');
  const ids = told.flatMap(({ message_ids }) => message_ids as number[]);
  assert.equal(ids.length, new Set(ids).size);
  assert.ok(ids.length >= 450 && told.length > 3);
  assert.deepEqual(await storage.read((tx) => tx.conversations.topicsOf(channels.public, { limit: 100 })), []);
});

const CHANGES: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a channel gets a shorter retention': ({ as, channels }) =>
    as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 1 }),
  'the organization gets a shorter retention': ({ as }) => as('owner').organization.edit({ message_retention_days: 1 }),
};

for (const [what, change] of Object.entries(CHANGES)) {
  inWorlds(`a sleeping worker deletes expired messages at once when ${what}`, async (world) => {
    const { chat, clock, messages } = world;
    await chat.start();
    // Nothing is due, so the worker sleeps for a minute.
    for (let n = 0; n < 5; n++) {
      clock.advance({ milliseconds: 100 });
      await sleep(10);
    }
    await change(world);
    await untilTold('the messages are deleted', clock, async () => !(await isThere(world, messages.ghost)));
  });
}

inWorlds('creating a channel with its own retention schedules the search for expired messages', async (world) => {
  const { as, storage, clock } = world;
  assert.equal(await storage.read((tx) => tx.retention.due()), undefined);
  await as('owner').channels.create({ name: 'Fleeting', subscribers: [], message_retention_days: 1 });
  assert.equal(await storage.read((tx) => tx.retention.due()), clock.now());
});

inWorlds('a clock set back during the deletion of expired messages keeps those not expired by it', async (world, t) => {
  const { as, chat, clock, channels, storage } = world;
  await sayMany(world, 'many', 1_500);
  await as('owner').channels.edit({ stream_id: channels.public, message_retention_days: 1 });
  const { id } = await storage.write((tx) => tx.conversations.ensureTopic(channels.public, 'many'));
  const left = () => storage.read(async (tx) => (await tx.messages.countSince(id, 0)).total);
  clock.advance({ days: 3 });
  let steps = 0;
  const beforeEach = () => {
    if (++steps === 3) clock.advance({ days: -3 });
    return steps === 100;
  };
  const { engine } = processOn(t, storage, [], clock, registered.events);
  await expiredMessages.run(engine, beforeEach);
  assert.ok(steps < 100, 'deletion stops at messages that are not expired');
  const kept = await left();
  assert.ok(kept > 1_000 && kept < 1_500);
  await chat.runDue();
  assert.equal(await left(), kept);
  assert.equal(
    await storage.read((tx) => tx.retention.due()),
    clock.now() + 3_600_000,
    'the next search is scheduled as before',
  );
  clock.advance({ days: 2 });
  await chat.runDue();
  assert.equal(await left(), 0);
});

inWorlds('only owners set message_retention_days, in whole days', async (world) => {
  const { as } = world;
  const edit = (user: 'administrator' | 'owner', value: unknown) =>
    refusal(as(user).organization.edit({ message_retention_days: value as number }));
  assert.equal((await edit('administrator', 7)).code, 'UNAUTHORIZED_PRINCIPAL');
  for (const value of [0, -1, 1.5, 'for ever']) assert.equal((await edit('owner', value)).code, 'BAD_REQUEST');
  await as('owner').organization.edit({ message_retention_days: 7 });
  const { realm_message_retention_days } = await as('guest').register({ fetch_event_types: ['realm'] });
  assert.equal(realm_message_retention_days, 7);
});
