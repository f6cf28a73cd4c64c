import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ContentPlaces, Interruptible } from '../../../lib/domains/uploads/store-content.ts';

const noop = () => undefined;

test('at most four uploads of a user and 32 of all users run at once', () => {
  const places = new ContentPlaces();
  const own = [1, 2, 3, 4].map(() => places.take(1));
  assert.deepEqual([own.every(Boolean), places.take(1), places.isFullFor(1)], [true, undefined, true]);
  for (let account = 2; account <= 8; account++) {
    for (let times = 0; times < 4; times++) assert.ok(places.take(account));
  }
  assert.deepEqual([places.take(9), places.isFullFor(9)], [undefined, false]);
  // One place, however often it is called.
  own[0]?.();
  own[0]?.();
  assert.ok(places.take(9));
  assert.equal(places.take(10), undefined);
});

test('waiting uploads start in order, except those of users who already run four', async () => {
  const places = new ContentPlaces();
  const leave = new Map<number, (() => void) | undefined>();
  for (let account = 1; account <= 8; account++) {
    for (let times = 0; times < 4; times++) leave.set(account, places.take(account));
  }
  const begun: number[] = [];
  const waits = (account: number) => places.wait(account, noop).then(() => begun.push(account));
  for (const account of [2, 9, 1, 10]) void waits(account);
  await wait(1);
  assert.deepEqual(begun, []);
  leave.get(1)?.();
  await wait(1);
  assert.deepEqual(begun, [9]);
  leave.get(2)?.();
  await wait(1);
  assert.deepEqual(begun, [9, 2]);
  leave.get(3)?.();
  await wait(1);
  assert.deepEqual(begun, [9, 2, 1]);
});

test('at most 50 uploads of a user wait, and one of each user once 500 wait', async () => {
  const places = new ContentPlaces();
  const refused = { code: 'RATE_LIMIT_HIT', retryAfter: 5 };
  const leave = new Map<number, () => void>();
  for (let account = 1; account <= 8; account++) {
    for (let times = 0; times < 4; times++) leave.set(account, places.take(account) as () => void);
  }
  const wait = (account: number, times: number) => {
    const waiting = Array.from({ length: times }, () => places.wait(account, noop));
    return Promise.race([...waiting, new Promise((resolve) => setImmediate(resolve))]);
  };
  await wait(1, 50);
  await assert.rejects(wait(1, 1), refused);
  for (let account = 2; account <= 9; account++) await wait(account, 50);
  await wait(10, 49);
  await wait(11, 1);
  await assert.rejects(wait(11, 1), refused);
  await assert.rejects(wait(10, 1), refused);
  await wait(12, 1);
  // One of the first gets a place, and another one can wait instead.
  leave.get(1)?.();
  leave.get(2)?.();
  leave.get(3)?.();
  await wait(1, 1);
  await assert.rejects(wait(1, 1), refused);
});

test('when all places are taken, the longest running upload is interrupted for a waiting user', async () => {
  const places = new ContentPlaces(20);
  const asked: number[] = [];
  let leave = noop as () => void;
  for (let at = 0; at < 32; at++) {
    const left = places.take(at >> 2, () => {
      asked.push(at);
      leave();
    }) as () => void;
    if (at === 0) leave = left;
  }
  // It has places itself, so no other upload is interrupted.
  void places.wait(5, noop);
  await wait(50);
  assert.deepEqual(asked, []);
  const keepAlive = setInterval(noop, 1_000);
  await places.wait(9, noop);
  clearInterval(keepAlive);
  assert.deepEqual(asked, [0]);
});

test('an upload that waits for its next piece can be interrupted', async () => {
  const reading = new Interruptible();
  let hasEnded = false;
  const content = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(noop),
      return: async () => {
        hasEnded = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const next = reading.pieces(content).next();
  reading.interrupt(new Error('enough'));
  await assert.rejects(next, /enough/);
  assert.equal(hasEnded, true);
});
