import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Alarm } from '../../lib/events/waiter.ts';

/** Rings until everybody's time is over, and resolves to their order. */
function rings(times: readonly number[]): Promise<number[]> {
  const over: number[] = [];
  const waiting = new Set(times);
  return new Promise((resolve) => {
    const alarm = new Alarm((now) => {
      for (const at of [...waiting].sort((a, b) => a - b)) if (at <= now && waiting.delete(at)) over.push(at);
      if (waiting.size === 0) resolve(over);
      return Math.min(Number.POSITIVE_INFINITY, ...waiting);
    });
    for (const at of times) alarm.set(at);
  });
}

describe('the alarm of waiting polls', () => {
  it('rings for the earliest time, and again for later times', async () => {
    const now = performance.now();
    assert.deepEqual(await rings([now + 250, now + 10, now + 20]), [now + 10, now + 20, now + 250]);
  });

  it('rings at once for a time that is over', async () => {
    const past = performance.now() - 1;
    assert.deepEqual(await rings([past]), [past]);
  });
});
