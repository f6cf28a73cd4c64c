import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairScheduler } from '../../lib/access/fair-scheduler.ts';
import { scanInTurn } from '../../lib/engine/callers.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';

const client = 'Tests';

/** A line in which reads go on until they are let go. */
function lineOf(places: number) {
  let now = 0;
  const scans = new FairScheduler({ places, now: () => now });
  const begun: number[] = [];
  const gates: Gate[] = [];
  /** Of a caller; `terms` as of a transport. */
  const ask = (userId: number, terms: object = {}) =>
    scanInTurn(scans, { userId, client, scanTerms: () => terms }, async () => {
      const gate = new Gate();
      begun.push(userId);
      gates.push(gate);
      await gate.opened;
      return userId;
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Lets the first that is under way go, and whoever comes next begin. */
  const next = async () => {
    now += 10;
    gates.shift()?.open();
    await settled();
  };
  return { ask, begun, next, settled };
}

test('of twenty accounts each has its turn before one that asked for many has its second', async () => {
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

test('one account has one scan under way, also while places are free', async () => {
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

test('whoever goes away while they wait leaves the line, and is not begun', async () => {
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

test('whoever has had enough is refused before they wait and when their turn comes, and others go on', async () => {
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

test('a scan that fails gives its place to the next', async () => {
  const scans = new FairScheduler({ places: 1 });
  const failing = assert.rejects(
    scanInTurn(scans, { userId: 1, client }, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  assert.equal(await scanInTurn(scans, { address: 'ada@example.com', client }, async () => 'yes'), 'yes');
  await failing;
});
