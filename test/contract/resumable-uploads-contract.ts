import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createUsers, openFounded } from './fixtures.ts';

/** An unfinished upload of 10 bytes by Ada. */
async function begun(t: TestContext, engine: Engine): Promise<{ storage: Storage; upload: number; ada: number }> {
  const { storage } = await openFounded(t, engine);
  return storage.write(async (tx) => {
    const { Ada } = await createUsers(tx, 'Ada');
    const file = { file_name: 'a', name: 'a', content_type: 'text/plain', created_ms: 1, collect_ms: 5 };
    const upload = await tx.uploads.create({ ...file, owner_id: Ada.id, file_key: '1/a/b' });
    await tx.resumableUploads.create(upload, Ada.id, 10);
    return { storage, upload, ada: Ada.id };
  });
}

export function resumableUploadsContract(engine: Engine): void {
  const test = testOn(engine);

  test('the lease of an upload has one holder, which learns that another request waits for it', async (t) => {
    const { storage, upload } = await begun(t, engine);
    const leases = <T>(work: (leases: Transaction['resumableUploads']) => Promise<T>) =>
      storage.write((tx) => work(tx.resumableUploads));
    assert.equal(await leases((one) => one.acquire(upload, 'A', 100, 200)), true);
    assert.equal(await leases((one) => one.renew(upload, 'A', 300)), 'held');
    assert.equal(await leases((one) => one.acquire(upload, 'B', 299, 400)), false);
    assert.equal(await leases((one) => one.renew(upload, 'A', 310)), 'asked-for');
    assert.equal(await leases((one) => one.renew(upload, 'B', 310)), 'lost');
    // The lease of a process that died expires.
    assert.equal(await leases((one) => one.acquire(upload, 'B', 310, 400)), true);
    assert.equal(await leases((one) => one.renew(upload, 'A', 500)), 'lost');
    assert.equal(await leases((one) => one.release(upload, 'A')), false);
    assert.equal(await leases((one) => one.renew(upload, 'B', 500)), 'held');
    assert.equal(await leases((one) => one.release(upload, 'B')), true);
    assert.equal(await leases((one) => one.acquire(upload, 'A', 310, 400)), true);
  });

  test('only one of four concurrent requests gets the lease of an upload', async (t) => {
    const { storage, upload } = await begun(t, engine);
    const taken = await Promise.all(
      ['A', 'B', 'C', 'D'].map((holder) =>
        storage.write((tx) => tx.resumableUploads.acquire(upload, holder, 1, 100), 'mark'),
      ),
    );
    assert.deepEqual(taken.sort(), [false, false, false, true]);
  });

  test('a removed upload cannot be resumed', async (t) => {
    const { storage, upload, ada } = await begun(t, engine);
    const look = () =>
      storage.read(async ({ resumableUploads: those }) => [await those.sizeOf(upload), await those.countOf(ada, 5)]);
    assert.deepEqual(await look(), [10, 1]);
    await storage.write((tx) => tx.uploads.remove([upload]));
    assert.deepEqual(await look(), [undefined, 0]);
    await storage.write(async (tx) => assert.equal(await tx.resumableUploads.acquire(upload, 'A', 1, 2), false));
  });

  test('unfinished uploads of an account are counted up to a limit', async (t) => {
    const { storage, ada } = await begun(t, engine);
    await storage.write(async (tx) => {
      const file = { file_name: 'a', name: 'a', content_type: 'text/plain', created_ms: 1, collect_ms: 5 };
      for (const file_key of ['1/a/c', '1/a/d', '1/a/e']) {
        await tx.resumableUploads.create(await tx.uploads.create({ ...file, owner_id: ada, file_key }), ada, 1);
      }
      assert.deepEqual([await tx.resumableUploads.countOf(ada, 10), await tx.resumableUploads.countOf(ada, 3)], [4, 3]);
    });
  });
}
