import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { openFounded } from './fixtures.ts';

/** Calls that can be repeated, by user, operation and key. */
export function idempotencyContract(engine: Engine): void {
  const test = testOn(engine);

  test('a key belongs to its user and operation, until it is too old', async (t) => {
    const { storage } = await openFounded(t, engine);
    const call = { user_id: 1, operation: 'a.b', key: 'k"1', digest: 'x', answer: '{"id":7}', created_ms: 100 };
    await storage.write(async ({ idempotency }) => {
      assert.equal(await idempotency.oldest(), undefined);
      assert.equal(await idempotency.add(call, 50), true);
      assert.equal(await idempotency.add({ ...call, digest: 'y', created_ms: 120 }, 100), false);
      assert.equal(await idempotency.add({ ...call, user_id: 2, created_ms: 110 }, 50), true);
      assert.equal(await idempotency.add({ ...call, operation: 'a.c', created_ms: 130 }, 50), true);
      assert.deepEqual(await idempotency.get(1, 'a.b', 'k"1', 100), { digest: 'x', answer: '{"id":7}' });
      assert.equal(await idempotency.get(1, 'a.b', 'k"1', 101), undefined);
      assert.equal(await idempotency.get(1, 'a.b', 'K"1', 0), undefined);
      assert.equal(await idempotency.add({ ...call, digest: 'y', created_ms: 140 }, 101), true);
      assert.deepEqual(await idempotency.get(1, 'a.b', 'k"1', 101), { digest: 'y', answer: '{"id":7}' });
      assert.equal(await idempotency.oldest(), 110);
      assert.equal(await idempotency.removeOlder(140, 1), 1);
      assert.equal(await idempotency.oldest(), 130);
      assert.equal(await idempotency.removeOlder(140, 10), 1);
      assert.equal(await idempotency.removeOlder(140, 10), 0);
    });
  });
}
