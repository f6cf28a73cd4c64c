import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fieldValue, presetTimes, timeOf } from '../../../lib/panel/composer/times.ts';

const offered = (now: string) =>
  presetTimes(new Date(now).getTime()).map(({ name, at }) => `${name} ${fieldValue(at).replace('T', ' ')}`);

describe('times to send a message', () => {
  before(() => {
    process.env.TZ = 'Europe/Berlin';
  });

  it('are in one hour, this evening, tomorrow and on Monday', () => {
    assert.deepEqual(offered('2026-11-25T10:20:30'), [
      'hour 2026-11-25 11:21',
      'evening 2026-11-25 18:00',
      'tomorrow 2026-11-26 09:00',
      'monday 2026-11-30 09:00',
    ]);
  });

  it('have no evening that is over, and no second Monday on a Sunday', () => {
    assert.deepEqual(offered('2026-11-29T17:30:00'), ['hour 2026-11-29 18:30', 'tomorrow 2026-11-30 09:00']);
    assert.deepEqual(offered('2026-11-30T23:59:00').at(-1), 'monday 2026-12-07 09:00');
  });

  it('are in the morning also after a night in which the clocks change', () => {
    assert.equal(offered('2026-03-28T12:00:00')[2], 'tomorrow 2026-03-29 09:00');
    assert.equal(offered('2026-10-24T12:00:00')[2], 'tomorrow 2026-10-25 09:00');
  });

  it('survive the field, and an empty field has none', () => {
    for (const { at } of presetTimes(Date.now())) assert.equal(timeOf(fieldValue(at)), at);
    assert.ok(Number.isNaN(timeOf('')));
  });
});
