import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanInTurn } from '../../lib/engine/callers.ts';
import { FairScheduler } from '../../lib/engine/fair-scheduler.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';

const client = 'Tests';

/** A queue of scans that run until `next` ends them. */
function lineOf(places: number) {
  let now = 0;
  const scans = new FairScheduler({ places, now: () => now });
  const begun: number[] = [];
  const gates: Gate[] = [];
  /** Requests a scan for this user, with the options of a transport. */
  const ask = (userId: number, terms: object = {}) =>
    scanInTurn(scans, { userId, client, scanTerms: () => terms }, async () => {
      const gate = new Gate();
      begun.push(userId);
      gates.push(gate);
      await gate.opened;
      return userId;
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends the first running scan, so that the next one starts. */
  const next = async () => {
    now += 10;
    gates.shift()?.open();
    await settled();
  };
  return { ask, begun, next, settled };
}

test('each of 20 accounts gets its scans before one with 50 requests gets its third', async () => {
  const { ask, begun, next, settled } = lineOf(1);
  const asked = [];
  for (let n = 0; n < 50; n++) asked.push(ask(1));
  for (let user = 2; user <= 20; user++) for (let n = 0; n < 2; n++) asked.push(ask(user));
  await settled();
  const areAllBegun = async () => {
    await next();
    return begun.length === asked.length;
  };
  await until('every read has begun', areAllBegun, { every: 0 });
  await next();
  await Promise.all(asked);
  const everybody = Array.from({ length: 20 }, (_, at) => at + 1);
  assert.deepEqual(begun.slice(0, 40), [...everybody, ...everybody]);
  assert.deepEqual(new Set(begun.slice(40)), new Set([1]));
});

test('an account runs one scan at a time, also with free places', async () => {
  const { ask, begun, next, settled } = lineOf(3);
  const asked = [ask(1), ask(1), ask(2)];
  await settled();
  assert.deepEqual(begun, [1, 2]);
  await next();
  assert.deepEqual(begun, [1, 2, 1]);
  await next();
  await next();
  assert.deepEqual(await Promise.all(asked), [1, 1, 2]);
});

test('a waiting scan of a disconnected client is dropped, and never runs', async () => {
  const { ask, begun, next, settled } = lineOf(1);
  const gone = new AbortController();
  const first = ask(1);
  const leaving = assert.rejects(ask(2, { signal: gone.signal }), /no longer waits/);
  const last = ask(3);
  await settled();
  gone.abort();
  await leaving;
  await next();
  assert.deepEqual(begun, [1, 3]);
  await next();
  assert.deepEqual(await Promise.all([first, last]), [1, 3]);
  await assert.rejects(ask(4, { signal: AbortSignal.abort() }), /no longer waits/);
});

test("a scan is refused before and after waiting when its user's time is used up, and others run", async () => {
  const { ask, begun, next, settled } = lineOf(1);
  let isOver = false;
  let spent = 0;
  const terms = {
    check: async () => {
      if (isOver) throw new Error('enough');
    },
    spent: (milliseconds: number) => {
      spent += milliseconds;
      isOver = true;
    },
  };
  const first = ask(1, terms);
  const second = assert.rejects(ask(1, terms), { message: 'enough' });
  const other = ask(2);
  await settled();
  await next();
  await assert.rejects(ask(1, terms), { message: 'enough' });
  assert.deepEqual(begun, [1, 2]);
  await next();
  await Promise.all([first, second, other]);
  assert.ok(spent > 0);
});

test('a failing scan frees its place for the next', async () => {
  const scans = new FairScheduler({ places: 1 });
  const failing = assert.rejects(
    scanInTurn(scans, { userId: 1, client }, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  assert.equal(await scanInTurn(scans, { address: 'ada@example.com', client }, async () => 'yes'), 'yes');
  await failing;
});
