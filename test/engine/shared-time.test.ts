import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuShare } from '../../lib/engine/fair-scheduler.ts';

test('cpuShare divides each millisecond among the requests that work in it', () => {
  let now = 0;
  const begin = cpuShare(() => now);
  const endFirst = begin();
  now += 10;
  const endSecond = begin();
  now += 20;
  assert.equal(endFirst(), 20);
  now += 5;
  assert.equal(endSecond(), 15);
  now += 100;
  assert.equal(begin()(), 0);
});
