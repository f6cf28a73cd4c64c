import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, minutesIn, secondsIn } from '../../cli/arguments/durations.ts';

test('a duration with a unit is converted to seconds, and other text is unchanged', () => {
  assert.deepEqual(['90s', '15m', '2h', '7d', '1w', '15', '1.5h', ''].map(secondsIn), [
    ...['90', '900', '7200', '604800', '604800'],
    ...['15', '1.5h', ''],
  ]);
});

test('a duration in minutes is rounded up', () => {
  assert.deepEqual(['90s', '60s', '1s', '2h', '15', 'never', 'Forever'].map(minutesIn), [
    ...['2', '1', '1', '120', '15'],
    ...['null', 'null'],
  ]);
});

test('a duration is shown in the largest unit that divides it', () => {
  assert.deepEqual([604_800, 86_400, 90_000, 5400, 90, 61].map(formatDuration), [
    '1w',
    '1d',
    '25h',
    '90m',
    '90s',
    '61s',
  ]);
});
