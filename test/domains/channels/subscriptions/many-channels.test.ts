import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkNamedSubscribers } from '../../../../lib/domains/channels/subscribing.ts';
import type { Channel } from '../../../../lib/storage/interface/channels.ts';
import { sqliteEngine } from '../../../world/copies.ts';
import type { World } from '../../../world/world.ts';

/** What is done with all private channels of a world at once. */
const CALLS: Readonly<Record<string, (world: World, names: string[]) => Promise<unknown>>> = {
  'subscribing people to private channels': (world, names) =>
    world.as('owner').subscriptions.add({
      subscriptions: names.map((name) => ({ name })),
      principals: [world.users.hamlet, world.users.cordelia],
    }),
  'taking people out of private channels': (world, names) =>
    world.as('owner').subscriptions.remove({ subscriptions: names, principals: [world.users.moderator] }),
  'deactivating a subscriber of private channels': (world) =>
    world.as('owner').users.deactivate({ user_id: world.users.moderator }),
  'reactivating a subscriber of private channels': async (world) => {
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
    const storage = world.storage as unknown as { statements: number };
    const before = storage.statements;
    await call(world, names);
    return storage.statements - before;
  } finally {
    await world.close();
  }
}

test('a call that would name more subscribers than fit is refused before they are looked up', () => {
  const channel = { subscriber_count: 10_000 } as Channel;
  const channels = (number: number) => Array.from({ length: number }, () => channel);
  checkNamedSubscribers(channels(150), 'Send several.');
  assert.throws(() => checkNamedSubscribers(channels(151), 'Send several.'), {
    code: 'BAD_REQUEST',
    message: /^These 151 channels have 1510000 subscribers together; .*Send several\.$/,
  });
});
