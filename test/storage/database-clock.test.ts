import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockDifference } from '../../lib/rules/clock-difference.ts';
import { DatabaseClock } from '../../lib/storage/postgres/commit-listener.ts';

/** A measurement at 1,000,000 ms, with the database ahead by `offsetMs` in the middle of the round trip. */
const measured = (offsetMs: number, roundTripMs = 2) => ({
  sentMs: 1_000_000,
  databaseMs: 1_000_000 + roundTripMs / 2 + offsetMs,
  receivedMs: 1_000_000 + roundTripMs,
});

describe('DatabaseClock', () => {
  it('measures the offset at the middle of the round trip, in whole milliseconds', () => {
    const clock = new DatabaseClock();
    assert.equal(clock.apply(measured(-60_000.4, 40)), true);
    assert.equal(clock.offsetMs, -60_000);
  });

  it('keeps the offset for small differences, which may be noise', () => {
    const clock = new DatabaseClock();
    assert.equal(clock.apply(measured(50)), false);
    assert.equal(clock.offsetMs, 0);
    clock.apply(measured(60_000));
    for (const offset of [59_960, 60_040, 59_980]) assert.equal(clock.apply(measured(offset)), false);
    assert.equal(clock.offsetMs, 60_000);
  });

  it('keeps the offset if half the round trip explains the difference, and changes it for a more precise measurement', () => {
    const clock = new DatabaseClock();
    assert.equal(clock.apply(measured(900, 2_000)), false);
    assert.equal(clock.offsetMs, 0);
    assert.equal(clock.apply(measured(900)), true);
    assert.equal(clock.offsetMs, 900);
  });

  it('follows a database clock that is set', () => {
    const clock = new DatabaseClock();
    clock.apply(measured(60_000));
    assert.equal(clock.apply(measured(0)), true);
    assert.equal(clock.offsetMs, 0);
  });
});

describe('the warning about different clocks', () => {
  it('names seconds and direction of a difference above 5 s', () => {
    assert.equal(clockDifference(5_000), undefined);
    assert.equal(clockDifference(-5_000), undefined);
    assert.equal(clockDifference(5_600), "6 s behind the database's");
    assert.equal(clockDifference(-60_000), "60 s ahead of the database's");
  });

  it('is given once, and again after the clocks agreed', () => {
    const clock = new DatabaseClock();
    assert.equal(clock.nextWarning(), undefined);
    clock.apply(measured(60_000));
    assert.match(clock.nextWarning() ?? '', /60 s behind .* chrony or systemd-timesyncd$/);
    clock.apply(measured(70_000));
    assert.equal(clock.nextWarning(), undefined);
    clock.apply(measured(1_000));
    assert.equal(clock.nextWarning(), undefined);
    clock.apply(measured(-6_000));
    assert.match(clock.nextWarning() ?? '', /6 s ahead of /);
  });
});
