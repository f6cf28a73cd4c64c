import assert from 'node:assert/strict';
import type { LastPresence } from '../../lib/model/users.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, type Lifetime, openFounded } from './fixtures.ts';

export function presencesContract(engine: Engine): void {
  const test = testOn(engine);
  const twoPeople = async (t: Lifetime) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const record = (...seen: LastPresence[]) => storage.write((tx) => tx.presences.record(seen), 'mark');
    const of = async (userId: number) => {
      const { update_id: _, ...seen } =
        (await storage.read((tx) => tx.presences.of(userId))) ?? assert.fail('never reported');
      return seen;
    };
    return { storage, ada: Ada.id, bob: Bob.id, record, of };
  };
  const MS = 1_800_000_000_123;

  test('a user who never reported has no presence', async (t) => {
    const { storage, ada } = await twoPeople(t);
    assert.equal(await storage.read((tx) => tx.presences.of(ada)), undefined);
    assert.deepEqual(await storage.read((tx) => tx.presences.changedSince(0)), []);
  });

  test('the times of a presence never move back, each by itself', async (t) => {
    const { ada, record, of } = await twoPeople(t);
    await record({ user_id: ada, active_ms: null, connected_ms: MS });
    assert.deepEqual(await of(ada), { user_id: ada, active_ms: null, connected_ms: MS });
    await record({ user_id: ada, active_ms: MS + 10, connected_ms: MS + 10 });
    // An older report of another process.
    await record({ user_id: ada, active_ms: null, connected_ms: MS + 5 });
    assert.deepEqual(await of(ada), { user_id: ada, active_ms: MS + 10, connected_ms: MS + 10 });
    await record({ user_id: ada, active_ms: MS + 3, connected_ms: MS + 20 });
    assert.deepEqual(await of(ada), { user_id: ada, active_ms: MS + 10, connected_ms: MS + 20 });
    await record({ user_id: ada, active_ms: MS + 15, connected_ms: MS + 15 });
    assert.deepEqual(await of(ada), { user_id: ada, active_ms: MS + 15, connected_ms: MS + 20 });
  });

  test('changedSince returns the presences that changed after an update', async (t) => {
    const { storage, ada, bob, record } = await twoPeople(t);
    const changed = (since: number) => storage.read((tx) => tx.presences.changedSince(since));
    await record(
      { user_id: ada, active_ms: null, connected_ms: MS },
      { user_id: bob, active_ms: null, connected_ms: MS },
    );
    const both = await changed(0);
    assert.deepEqual(
      both.map(({ user_id }) => user_id),
      [ada, bob],
    );
    const first = both.at(-1)?.update_id as number;
    assert.deepEqual(await changed(first), []);
    // An older report changes nothing.
    await record({ user_id: ada, active_ms: null, connected_ms: MS - 1 });
    assert.deepEqual(await changed(first), []);
    await record({ user_id: ada, active_ms: null, connected_ms: MS + 1 });
    const [again, ...others] = await changed(first);
    assert.equal(again?.user_id, ada);
    assert.deepEqual(others, []);
    assert.deepEqual(
      (await changed(0)).map(({ user_id }) => user_id),
      [bob, ada],
    );
  });

  test('replacing a presence can move its times back, and counts as a change', async (t) => {
    const { storage, ada, record, of } = await twoPeople(t);
    await record({ user_id: ada, active_ms: MS, connected_ms: MS });
    const before = await storage.read((tx) => tx.presences.of(ada));
    await storage.write((tx) => tx.presences.replace({ user_id: ada, active_ms: null, connected_ms: 7 }));
    assert.deepEqual(await of(ada), { user_id: ada, active_ms: null, connected_ms: 7 });
    const changed = await storage.read((tx) => tx.presences.changedSince(before?.update_id ?? 0));
    assert.equal(changed.length, 1);
  });

  test('2,001 presences are recorded in one call', async (t) => {
    const { storage, ada, record } = await twoPeople(t);
    const people = await storage.write((tx) => createUsers(tx, ...Array.from({ length: 2_000 }, (_, n) => `P${n}`)));
    const ids = Object.values(people).map(({ id }) => id);
    await record(...[ada, ...ids].map((user_id) => ({ user_id, active_ms: MS, connected_ms: MS })));
    assert.equal((await storage.read((tx) => tx.presences.changedSince(0))).length, 2_001);
  });
}
