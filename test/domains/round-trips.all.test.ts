import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';
import { openWorld, prepareWorld, type World } from '../world/world.ts';

/** Prepares a call and returns it. Only the returned call is counted. */
type Prepare = (world: World) => Promise<() => Promise<unknown>>;

/** Limits of round trips to PostgreSQL, including the end of the transaction. */
const BOUNDS: readonly [what: string, most: number, prepare: Prepare][] = [
  ['sending to a channel', 3, async (world) => () => say(world)],
  [
    'sending a direct message',
    4,
    async (world) => () =>
      world.as('hamlet').messages.send({ type: 'direct', to: [world.users.cordelia], content: 'Who?' }),
  ],
  ['sending a mention', 5, async (world) => () => say(world, '@**Cordelia** knows')],
  [
    'editing a message',
    7,
    async (world) => {
      const { id } = await say(world);
      return () => world.as('hamlet').messages.edit({ message_id: id, content: 'Words, words' });
    },
  ],
  [
    'adding a reaction',
    4,
    async (world) => {
      const { id } = await say(world);
      return () => world.as('cordelia').messages.addReaction({ message_id: id, emoji_name: 'thumbs_up' });
    },
  ],
  [
    'removing a reaction',
    4,
    async (world) => {
      const { id: message_id } = await say(world);
      await world.as('cordelia').messages.addReaction({ message_id, emoji_name: 'thumbs_up' });
      return () => world.as('cordelia').messages.removeReaction({ message_id, emoji_name: 'thumbs_up' });
    },
  ],
  [
    'starring a message',
    4,
    async (world) => {
      const { id } = await say(world);
      return () => world.as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'starred' });
    },
  ],
  [
    'marking a topic as read',
    6,
    async (world) => {
      await say(world);
      return () =>
        world.as('cordelia').messages.markTopicRead({ stream_id: world.channels.public, topic_name: 'ghosts' });
    },
  ],
  [
    'marking a channel as read',
    6,
    async (world) => {
      await say(world);
      return () => world.as('cordelia').messages.markChannelRead({ stream_id: world.channels.public });
    },
  ],
  [
    'marking all messages as read',
    5,
    async (world) => {
      await say(world);
      return () => world.as('cordelia').messages.markAllRead();
    },
  ],
  [
    'marking messages as read',
    5,
    async (world) => {
      const { id } = await say(world);
      return () => world.as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
    },
  ],
  [
    'marking a topic of a narrow as read',
    7,
    async (world) => {
      await say(world);
      const narrow = [
        ['channel', 'Denmark'],
        ['topic', 'ghosts'],
      ] as [string, string][];
      const range = { anchor: 'newest', num_before: 100, num_after: 0 } as const;
      return () => world.as('cordelia').messages.updateFlagsNarrow({ ...range, narrow, op: 'add', flag: 'read' });
    },
  ],
  [
    'marking a narrow as read',
    10,
    async (world) => {
      await say(world);
      const narrow = [['channel', 'Denmark']] as [string, string][];
      const range = { anchor: 'newest', num_before: 100, num_after: 0 } as const;
      return () => world.as('cordelia').messages.updateFlagsNarrow({ ...range, narrow, op: 'add', flag: 'read' });
    },
  ],
  [
    'polling for an event',
    4,
    async (world) => {
      const { queue_id } = await world.as('cordelia').register({ fetch_event_types: [] });
      await say(world);
      return () => world.as('cordelia').events.list({ queue_id: queue_id as string, last_event_id: -1 });
    },
  ],
  ['registering', 10, async (world) => () => world.as('hamlet').register()],
  ['registering without state', 5, async (world) => () => world.as('hamlet').register({ fetch_event_types: [] })],
  [
    'subscribing',
    10,
    async (world) => {
      const subscriptions = [{ name: 'Norway' }];
      await world.as('hamlet').subscriptions.remove({ subscriptions: ['Norway'] });
      return () => world.as('hamlet').subscriptions.add({ subscriptions });
    },
  ],
  [
    'subscribing a user to a new channel',
    20,
    async (world) => {
      const subscriptions = [{ name: `New ${++channels}` }];
      const principals = [world.users.cordelia];
      return () => world.as('hamlet').subscriptions.add({ subscriptions, principals });
    },
  ],
  [
    'fetching 100 messages',
    6,
    async (world) => () =>
      world.as('hamlet').messages.list({ anchor: 'newest', num_before: 100, narrow: [['channel', 'Harbour']] }),
  ],
  [
    'fetching 100 messages of all channels',
    6,
    async (world) => () => world.as('hamlet').messages.list({ anchor: 'newest', num_before: 100 }),
  ],
];

let channels = 0;

/** Messages in the fetched channel. */
const MESSAGES = 120;
const CALLS = 3;
/** Delay in each direction in ms. Statements sent together arrive before the first response. */
const DELAY = 5;

describe('round trips to PostgreSQL', { skip: withoutPostgres }, () => {
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** A chat without a background worker, with warm caches. */
  async function warmWorld() {
    const place = await postgresPlace();
    ends.push(() => place.drop());
    const fixture = await prepareWorld(place.storage());
    const relay = await tcpRelay({ after: (end: () => void) => ends.push(async () => end()) }, place.url);
    const pool = newPool(relay.url, 3);
    ends.push(() => pool.end());
    const world = await openWorld(fixture, postgres({ pool }, { schema: place.schema }));
    ends.push(() => world.close());
    for (let at = 0; at < MESSAGES; at++) await say(world, 'Words', 'Harbour');
    relay.delay = DELAY;
    return { world, relay, pool };
  }

  let opened: ReturnType<typeof warmWorld> | undefined;

  for (const [what, most, prepare] of BOUNDS) {
    it(`${what} takes ${most} at most`, async (t) => {
      opened ??= warmWorld();
      const { world, relay, pool } = await opened;
      const idle = async () => {
        await until('all connections are idle', () => pool.idleCount === pool.totalCount, { every: 0 });
      };
      await (await prepare(world))();
      const counts: number[] = [];
      for (let call = 0; call < CALLS; call++) {
        const perform = await prepare(world);
        await idle();
        const before = relay.roundTrips;
        await perform();
        // The call does not wait for the end of a reading transaction.
        await idle();
        counts.push(relay.roundTrips - before);
      }
      const median = counts.sort((a, b) => a - b)[Math.floor(CALLS / 2)] as number;
      t.diagnostic(`${what}: ${median} round trips (${counts.join(', ')})`);
      assert.ok(median <= most, `${median} round trips, where ${most} are allowed`);
    });
  }
});

function say(world: World, content = 'Words', to = 'Denmark') {
  return world.as('hamlet').messages.send({ type: 'channel', to, topic: 'ghosts', content });
}
