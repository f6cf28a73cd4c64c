import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { newAccount } from '../../lib/domains/users/new-account.ts';
import { testOn } from '../support/engines.ts';
import { postgresEngine, sqliteEngine } from '../world/copies.ts';
import type { World } from '../world/world.ts';

/** A world with so many more users, channels and messages than the fixture has. */
interface Crowd {
  world: World;
  users: number[];
  channels: number[];
  messages: number[];
}

/** Calls whose cost at the database does not depend on the size of the organization or of the request. */
const CALLS: Record<string, (crowd: Crowd) => Promise<unknown>> = {
  'messages.send to a channel': ({ world }) => say(world, 'crowded'),
  'messages.send to several people': ({ world, users }) =>
    world.as('hamlet').messages.send({ type: 'direct', to: users, content: 'x' }),
  'messages.list': ({ world }) => world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000 }),
  'messages.list of a channel': ({ world }) =>
    world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1000, narrow: [['channel', 'Denmark']] }),
  'messages.updateFlags': ({ world, messages }) =>
    world.as('cordelia').messages.updateFlags({ messages, op: 'add', flag: 'starred' }),
  'messages.updateFlags as read': ({ world, messages }) =>
    world.as('cordelia').messages.updateFlags({ messages, op: 'add', flag: 'read' }),
  'messages.updateFlags as unread': ({ world, messages }) =>
    world.as('cordelia').messages.updateFlags({ messages, op: 'remove', flag: 'read' }),
  'messages.updateFlagsNarrow as unread': ({ world }) => markNarrow(world, 'remove'),
  'messages.updateFlagsNarrow as read': ({ world }) => markNarrow(world, 'add'),
  'messages.markTopicRead': async ({ world }) => {
    await markNarrow(world, 'remove');
    await world.as('cordelia').messages.markTopicRead({ stream_id: world.kept.crowded as number, topic_name: 'x' });
  },
  'messages.edit of a whole topic': ({ world, messages }) =>
    world.as('hamlet').messages.edit({
      message_id: messages[0] as number,
      topic: 'renamed',
      propagate_mode: 'change_all',
    }),
  'users.get': ({ world, users }) => world.as('hamlet').users.get({ user_id: users[0] as number }),
  'users.list': ({ world }) => world.as('hamlet').users.list(),
  'users.list of some': ({ world, users }) => world.as('hamlet').users.list({ user_ids: users }),
  'channels.list': ({ world }) => world.as('hamlet').channels.list(),
  'channels.subscribers': ({ world }) =>
    world.as('hamlet').channels.subscribers({ stream_id: world.kept.crowded as number }),
  'channels.create with subscribers': ({ world, users }) =>
    world.as('owner').channels.create({ name: 'Brand new', subscribers: users }),
  'channels.create, private': ({ world, users }) =>
    world.as('owner').channels.create({ name: 'Brand new and private', subscribers: users, invite_only: true }),
  'subscriptions.list with subscribers': ({ world }) =>
    world.as('hamlet').subscriptions.list({ include_subscribers: true }),
  'subscriptions.add of users': ({ world, users }) =>
    world.as('hamlet').subscriptions.add({
      subscriptions: [{ name: 'Norway' }],
      principals: users,
      send_new_subscription_messages: false,
    }),
  'subscriptions.remove of users': ({ world, users }) =>
    world.as('owner').subscriptions.remove({ subscriptions: ['Norway'], principals: users }),
  register: ({ world }) => world.as('hamlet').register({ include_subscribers: true }),
  'events.list': async ({ world }) => {
    const queue_id = String(queues.get(world));
    const { events } = await world.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block: true });
    assert.ok(events.length > 0);
  },
};

const queues = new WeakMap<World, string>();

for (const engine of [sqliteEngine, postgresEngine]) {
  const test = testOn(engine);
  describe(`the number of statements does not grow with the data, on ${engine.name}`, () => {
    let counting: Promise<Map<string, [number, number]>> | undefined;
    const count = async (): Promise<Map<string, [number, number]>> => {
      const few = await statements(engine, 3);
      const many = await statements(engine, 120);
      return new Map(Object.keys(CALLS).map((name) => [name, [few.get(name) as number, many.get(name) as number]]));
    };
    for (const name of Object.keys(CALLS)) {
      test(name, async () => {
        counting ??= count();
        const counted = await counting;
        const [few, many] = counted.get(name) as [number, number];
        assert.ok(few > 0);
        assert.equal(many, few);
      });
    }
  });
}

/** Statements each call takes in a world with so much more of everything. */
async function statements(engine: typeof sqliteEngine, size: number): Promise<Map<string, number>> {
  const world = await engine.world();
  try {
    const crowd = await populate(world, size);
    const { queue_id } = await world.as('hamlet').register({ fetch_event_types: [] });
    queues.set(world, queue_id as string);
    // What is kept in memory is filled by the first call, whatever it is.
    await world.as('hamlet').users.list();
    const storage = world.storage as unknown as { statements: number };
    const counts = new Map<string, number>();
    for (const [name, call] of Object.entries(CALLS)) {
      const before = storage.statements;
      await call(crowd);
      counts.set(name, storage.statements - before);
    }
    return counts;
  } finally {
    await world.close();
  }
}

async function populate(world: World, size: number): Promise<Crowd> {
  const numbers = Array.from({ length: size }, (_, at) => at);
  const now = world.clock.now();
  const users = await world.storage.write(async (tx) => {
    const made = [];
    for (const at of numbers) {
      const email = `extra${at}@example.com`;
      made.push((await tx.users.create(newAccount({ email, full_name: `Extra ${at}`, role: 400, now }))).id);
    }
    return made;
  });
  const owner = world.as('owner');
  const channels = [];
  for (const at of numbers) {
    const made = await owner.channels.create({ name: `Extra ${at}`, subscribers: [world.users.hamlet] });
    channels.push(made.id);
  }
  const crowded = await owner.channels.create({
    name: 'crowded',
    subscribers: [world.users.hamlet, world.users.cordelia, ...users],
  });
  world.kept.crowded = crowded.id;
  const messages = [];
  for (const at of numbers) messages.push((await say(world, at % 2 === 0 ? 'crowded' : 'Denmark')).id);
  const { edit } = world.as('hamlet').messages;
  for (const message_id of messages) await edit({ message_id, content: 'edited' });
  for (const message_id of messages.slice(0, 2)) await edit({ message_id, topic: 'z', propagate_mode: 'change_all' });
  return { world, users, channels, messages };
}

function markNarrow(world: World, op: 'add' | 'remove') {
  const narrow = [
    { operator: 'channel', operand: 'crowded' },
    { operator: 'topic', operand: 'x' },
  ];
  const window = { anchor: 'oldest', num_before: 0, num_after: 1000, narrow } as const;
  return world.as('cordelia').messages.updateFlagsNarrow({ ...window, op, flag: 'read' });
}

function say(world: World, to: string) {
  return world.as('hamlet').messages.send({ type: 'channel', to, topic: 'x', content: 'y' });
}
