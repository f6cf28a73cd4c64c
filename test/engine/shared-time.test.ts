import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CpuShare } from '../../lib/access/fair-scheduler.ts';

test('of each millisecond, everybody who works in it has their share', () => {
  let now = 0;
  const time = new CpuShare(() => now);
  const endFirst = time.begin();
  now += 10;
  const endSecond = time.begin();
  now += 20;
  assert.equal(endFirst(), 20);
  now += 5;
  assert.equal(endSecond(), 15);
  now += 100;
  assert.equal(time.begin()(), 0);
});
