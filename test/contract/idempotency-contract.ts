import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { openFounded } from './fixtures.ts';

/** Stored responses of repeatable calls, by user, operation and key. */
export function idempotencyContract(engine: Engine): void {
  const test = testOn(engine);

  test('an idempotency key is valid for its user and operation until it expires', async (t) => {
    const { storage } = await openFounded(t, engine);
    const call = { user_id: 1, operation: 'a.b', key: 'k"1', digest: 'x', answer: '{"id":7}', created_ms: 100 };
    await storage.write(async ({ idempotency }) => {
      assert.equal(await idempotency.oldest(), undefined);
      assert.equal(await idempotency.add(call, 50), true);
      assert.equal(await idempotency.add({ ...call, digest: 'y', created_ms: 120 }, 100), false);
      assert.equal(await idempotency.add({ ...call, user_id: 2, created_ms: 110 }, 50), true);
      assert.equal(await idempotency.add({ ...call, operation: 'a.c', created_ms: 130 }, 50), true);
      assert.equal(await idempotency.count(1, 'a.b', 100), 1);
      assert.equal(await idempotency.count(1, 'a.b', 101), 0);
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

  test('trimming idempotency keys removes the oldest of one user beyond the limit', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async ({ idempotency }) => {
      const call = { operation: 'a.b', digest: 'x', answer: '{}' };
      for (const user_id of [1, 2]) {
        for (const created_ms of [1, 2, 3, 4, 5]) {
          await idempotency.add({ ...call, user_id, key: `k${created_ms}`, created_ms }, 0);
        }
      }
      assert.equal(await idempotency.trim(1, 3, 1), 1);
      assert.equal(await idempotency.trim(1, 3, 10), 1);
      assert.equal(await idempotency.trim(1, 3, 10), 0);
      const left = async (user: number) => {
        const calls = [1, 2, 3, 4, 5].map((n) => idempotency.get(user, 'a.b', `k${n}`, 0));
        return (await Promise.all(calls)).filter((found) => found !== undefined).length;
      };
      assert.equal(await idempotency.get(1, 'a.b', 'k2', 0), undefined);
      assert.equal(await left(1), 3);
      assert.equal(await left(2), 5);
    });
  });
}
