import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkNamedSubscribers } from '../../../../lib/domains/channels/subscribing.ts';
import type { Channel } from '../../../../lib/model/channels.ts';
import { sqliteEngine } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';

/** Operations on all given channels at once. Those that need preparation count their statements themselves. */
const CALLS: Readonly<Record<string, (world: World, names: string[]) => Promise<unknown>>> = {
  'subscribing users to more private channels takes no more statements': (world, names) =>
    world.as('owner').subscriptions.add({
      subscriptions: names.map((name) => ({ name })),
      principals: [world.users.hamlet, world.users.cordelia],
    }),
  'unsubscribing users from more private channels takes no more statements': (world, names) =>
    world.as('owner').subscriptions.remove({ subscriptions: names, principals: [world.users.moderator] }),
  'deactivating a subscriber of more private channels takes no more statements': (world) =>
    world.as('owner').users.deactivate({ user_id: world.users.moderator }),
  'deactivating the owner of more bots takes no more statements': async (world, names) => {
    const owner = world.as('hamlet');
    const principals: number[] = [];
    for (const [at] of names.entries()) {
      const bot = await owner.bots.create({ full_name: `Robot ${at}`, short_name: `robot${at}` });
      principals.push(bot.user_id);
    }
    await world.as('owner').subscriptions.add({ subscriptions: names.map((name) => ({ name })), principals });
    return counted(world, () => world.as('owner').users.deactivate({ user_id: world.users.hamlet }));
  },
  'reactivating a subscriber of more private channels takes no more statements': async (world) => {
    await world.as('owner').users.deactivate({ user_id: world.users.moderator });
    await world.as('owner').users.reactivate({ user_id: world.users.moderator });
  },
};

describe('the number of statements does not grow with channels', () => {
  for (const [what, call] of Object.entries(CALLS)) {
    test(what, async () => {
      assert.equal(await statementsFor(40, call), await statementsFor(4, call));
    });
  }
});

async function statementsFor(channels: number, call: (typeof CALLS)[string]): Promise<number> {
  const world = await sqliteEngine.world();
  try {
    const names = Array.from({ length: channels }, (_, at) => `Secret ${at}`);
    const subscribers = [world.users.owner, world.users.moderator];
    for (const name of names) await world.as('owner').channels.create({ name, invite_only: true, subscribers });
    let own: unknown;
    const all = await counted(world, async () => {
      own = await call(world, names);
    });
    return typeof own === 'number' ? own : all;
  } finally {
    await world.close();
  }
}

async function counted({ storage }: World, work: () => Promise<unknown>): Promise<number> {
  const counting = storage as unknown as { statements: number };
  const before = counting.statements;
  await work();
  return counting.statements - before;
}

test('subscribing the same users to 40 channels sends one event of each kind', async () => {
  const world = await sqliteEngine.world();
  try {
    const owner = world.as('owner');
    const names = Array.from({ length: 40 }, (_, at) => `Secret ${at}`);
    const subscribers = [world.users.owner];
    for (const name of names) await owner.channels.create({ name, invite_only: true, subscribers });
    const told = async (work: () => Promise<unknown>) => {
      const before = await world.storage.read((tx) => tx.events.tail());
      await work();
      const events = await world.storage.read((tx) => tx.events.since(before, 1_000));
      const kinds = events.map(({ event }) => `${event.type} ${event.op}`).filter((kind) => !/peer_/.test(kind));
      return kinds.sort();
    };
    const principals = [world.users.hamlet, world.users.cordelia];
    const subscriptions = names.map((name) => ({ name }));
    const adding = { subscriptions, principals, send_new_subscription_messages: false };
    assert.deepEqual(await told(() => owner.subscriptions.add(adding)), ['stream create', 'subscription add']);
    const removing = { subscriptions: names, principals };
    assert.deepEqual(await told(() => owner.subscriptions.remove(removing)), ['stream delete', 'subscription remove']);
  } finally {
    await world.close();
  }
});

test('a user with over 1,000 topic settings in a joined channel must register again', async () => {
  const world = await sqliteEngine.world();
  try {
    const { hamlet, owner } = world.users;
    const { id } = await world.as('owner').channels.create({ name: 'Secret', invite_only: true, subscribers: [owner] });
    await world.storage.write(async (tx) => {
      const setting = { channel_id: id, visibility_policy: 1, last_updated: 1 } as const;
      for (let at = 0; at < 1_001; at++) await tx.userTopics.set([hamlet], { ...setting, topic: `topic ${at}` });
    });
    const { queue_id } = await world.as('hamlet').register({ fetch_event_types: [] });
    const before = await world.storage.read((tx) => tx.events.tail());
    await world.as('owner').subscriptions.add({ subscriptions: [{ name: 'Secret' }], principals: [hamlet] });
    const events = await world.storage.read((tx) => tx.events.since(before, 2_000));
    assert.deepEqual(
      events.filter(({ event }) => event.type === 'user_topic'),
      [],
    );
    const polling = world.as('hamlet').events.list({ queue_id: queue_id as string, last_event_id: -1 });
    await assert.rejects(polling, { code: 'BAD_EVENT_QUEUE_ID' });
  } finally {
    await world.close();
  }
});

test('a request whose response would list too many subscribers is refused before they are read', () => {
  const channel = { subscriber_count: 10_000 } as Channel;
  const channels = (number: number) => Array.from({ length: number }, () => channel);
  checkNamedSubscribers(channels(150), 'Send several.');
  assert.throws(() => checkNamedSubscribers(channels(151), 'Send several.'), {
    code: 'BAD_REQUEST',
    message: /^These 151 channels have 1510000 subscribers in total\. .*Send several\.$/,
  });
});
