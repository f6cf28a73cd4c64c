import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Storage } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { bothEngines, postgresEngine } from '../../../world/copies.ts';
import { CHANNELS, RESTRICTED } from '../../../world/fixture.ts';
import { beforeTransaction, twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';

type Account = { user_id: number; full_name: string };

/** The accounts that a client knows from events since its registration. */
async function follow(world: World, registered: Record<string, unknown>): Promise<Account[]> {
  const accounts = new Map((registered.realm_users as Account[]).map((one) => [one.user_id, one]));
  let { last_event_id } = registered as { last_event_id: number };
  for (;;) {
    const queue_id = registered.queue_id as string;
    const { events } = await world.as('owner').events.list({ queue_id, last_event_id, dont_block: true });
    if (events.length === 0) return [...accounts.values()];
    for (const event of events) {
      if (event.type !== 'realm_user') assert.fail(`unexpected event of type ${event.type}`);
      const person = event.person as Account;
      const known = accounts.get(person.user_id);
      if (event.op === 'add')
        assert.equal(known, undefined, `${person.full_name} is added but was already in the state`);
      else assert.ok(known, `an event is about user ${person.user_id}, who is not in the state`);
      accounts.set(person.user_id, { ...known, ...person });
      last_event_id = event.id;
    }
  }
}

const register = (world: World) =>
  world.as('owner').register({ event_types: ['realm_user'] }) as unknown as Promise<Record<string, unknown>>;

const names = (accounts: readonly Account[]) => accounts.map(({ full_name }) => full_name).sort();

const present = async (world: World) =>
  names(
    (await world.as('owner').users.list()).members.filter(({ is_active }) => is_active).map((one) => one as Account),
  );

for (const engine of bothEngines) {
  testOn(engine)(
    `on ${engine.name} state and events fit together while two processes change the accounts`,
    async (t) => {
      const worlds = await twoProcesses(t, engine);
      const registered: Promise<[World, Record<string, unknown>]>[] = [];
      for (let round = 0; round < 6; round++) {
        const world = worlds[round % 2] as World;
        const change =
          round % 3 === 0
            ? world.as('owner').users.create({ email: `actor${round}@example.com`, full_name: `Actor ${round}` })
            : world.as('hamlet').settings.edit({ full_name: `Hamlet ${round}` });
        for (let time = 0; time < 4; time++) registered.push(register(world).then((one) => [world, one]));
        await Promise.all([change, registered.at(-1)]);
      }
      const expected = await present(worlds[0]);
      for (const [world, one] of await Promise.all(registered)) {
        assert.deepEqual(names(await follow(world, one)), expected);
      }
    },
  );
}

for (const engine of bothEngines) {
  for (const [name, before, after] of [
    ['a member who becomes a restricted guest', 400, 600],
    ['a restricted guest who becomes a member', 600, 400],
  ] as const)
    testOn(engine)(
      `${name} while they register gets the accounts they see afterwards, on ${engine.name}`,
      async (t) => {
        const world = await engine.world();
        t.after(() => world.close());
        await world.settings(RESTRICTED);
        const user_id = world.users.newcomer;
        const change = (role: number) => world.as('owner').users.edit({ user_id, role: role as 400 | 600 });
        if (before !== 400) await change(before);
        const registered = async () => {
          const { realm_users } = await world.as('newcomer').register({ event_types: ['realm_user'] });
          return names(realm_users as Account[]);
        };
        const { write } = world.storage;
        world.storage.write = async (...given) => {
          world.storage.write = write;
          await change(after);
          return write.apply(world.storage, given) as never;
        };
        const meanwhile = await registered();
        assert.deepEqual(meanwhile, await registered());
      },
    );
}

for (const engine of bothEngines) {
  testOn(engine)(
    `a member who gets a channel with too many topic settings while they register gets all of them, on ${engine.name}`,
    async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { channels, users, storage } = world;
      // Above 1,000 settings, there are no single events.
      const settings = Array.from({ length: 1_001 }, (_, at) => ({
        channel_id: channels.protected,
        topic: `topic ${at}`,
        visibility_policy: 1 as const,
        last_updated: 1,
      }));
      await storage.write(async (tx) => {
        for (const setting of settings) await tx.userTopics.set([users.newcomer], setting);
      });
      const registered = async () => {
        const { user_topics } = await world.as('newcomer').register({ event_types: ['user_topic'] });
        return (user_topics as unknown[]).length;
      };
      const { length } = settings;
      const before = await registered();
      const subscriptions = [{ name: CHANNELS.protected }];
      beforeTransaction(world, 'write', () =>
        world.as('cordelia').subscriptions.add({ subscriptions, principals: [users.newcomer] }),
      );
      assert.equal(await registered(), before + length);
      assert.equal(await registered(), before + length);
    },
  );
}

/** Lets reads take their snapshot, and holds them until they are released. */
function heldReads(storage: Storage) {
  const held: (() => void)[] = [];
  let isHolding = false;
  const read = storage.read.bind(storage);
  storage.read = (work) =>
    read(async (tx) => {
      // The first statement takes the snapshot.
      await tx.organization.versions();
      if (isHolding) {
        isHolding = false;
        await new Promise<void>((resolve) => held.push(resolve));
      }
      return work(tx);
    });
  /** Starts work whose next read is held. Returns when the read is held, with a function that releases it. */
  return async (begin: () => void): Promise<() => void> => {
    isHolding = true;
    begin();
    for (let look = 0; held.length === 0; look++) {
      assert.ok(look < 5000, 'no read started');
      await setTimeout(2);
    }
    return held.pop() as () => void;
  };
}

// On SQLite, reads of a process run one after another, so no snapshot is older than the previous one.
describe('concurrent reads of one process', () => {
  const test = testOn(postgresEngine);

  test('a registration shows the accounts as they were where its events begin', async (t) => {
    const world = await postgresEngine.world();
    t.after(() => world.close());
    await world.as('owner').users.list();
    const hold = heldReads(world.storage);
    const registering: Promise<Record<string, unknown>>[] = [];
    const release = await hold(() => registering.push(register(world)));
    await world.as('owner').users.create({ email: 'player@example.com', full_name: 'Player King' });
    await world.as('hamlet').settings.edit({ full_name: 'Hamlet the Dane' });
    const expected = await present(world);
    release();
    const [registered = assert.fail()] = await Promise.all(registering);
    assert.equal(names(registered.realm_users as Account[]).includes('Player King'), false);
    assert.deepEqual(names(await follow(world, registered)), expected);
  });

  test('a list of users read in an older snapshot does not replace the newer list', async (t) => {
    const world = await postgresEngine.world();
    t.after(() => world.close());
    const hold = heldReads(world.storage);
    const lists: Promise<string[]>[] = [];
    const list = async () =>
      names((await world.as('owner').users.list()).members).filter((name) => name.startsWith('Hamlet'));
    const older = await hold(() => lists.push(list()));
    await world.as('hamlet').settings.edit({ full_name: 'Hamlet the Dane' });
    const newer = await hold(() => lists.push(list()));
    // Both read all accounts, since none are cached. The older read ends last.
    newer();
    older();
    assert.deepEqual(await Promise.all(lists), [['Hamlet'], ['Hamlet the Dane']]);
    assert.deepEqual(await list(), ['Hamlet the Dane']);
  });
});
