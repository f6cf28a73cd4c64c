import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffline, latestOf, seenAgain, seenNoMore, statusOf } from '../../lib/rules/presence.ts';

const ADA = 7;
const NOW = 10_000_000;
/** Times by their age in milliseconds. */
const times = (active: number | null, connected: number) => ({
  user_id: ADA,
  active_ms: active === null ? null : NOW - active,
  connected_ms: NOW - connected,
});

test('users are offline more than 200 s after their last report', () => {
  assert.deepEqual(
    [200_000, 200_001].map((ms) => isOffline({ connected_ms: NOW - ms }, NOW)),
    [false, true],
  );
});

test('users are active up to 70 s before their last report, and idle before that', () => {
  for (const [active, connected, status] of [
    [70_000, 0, 'active'],
    [70_001, 0, 'idle'],
    [500_000, 430_000, 'active'],
    [0, 5_000, 'active'],
    [null, 0, 'idle'],
  ] as const)
    assert.equal(statusOf(times(active, connected)), status, `${active} ${connected}`);
});

test('a report changes the times after 55 s, or when the user comes back or is active again', () => {
  const none = null;
  const rows: [
    known: [number | null, number] | undefined,
    'active' | 'idle',
    [number | null, number, boolean] | null,
  ][] = [
    [undefined, 'active', [0, 0, true]],
    [undefined, 'idle', [none, 0, true]],
    // Same times.
    [[54_999, 54_999], 'active', none],
    [[54_999, 54_999], 'idle', none],
    [[0, 0], 'idle', none],
    // Later times.
    [[55_000, 54_999], 'active', [0, 0, false]],
    [[55_000, 54_999], 'idle', none],
    [[55_000, 55_000], 'idle', [55_000, 0, false]],
    [[60_000, 55_000], 'active', [0, 0, false]],
    // Idle before the report.
    [[71_000, 0], 'active', [0, 0, true]],
    [[none, 1_000], 'active', [0, 0, true]],
    [[none, 1_000], 'idle', none],
    [[none, 55_000], 'idle', [none, 0, false]],
    // Offline before the report.
    [[200_001, 200_001], 'active', [0, 0, true]],
    [[200_001, 200_001], 'idle', [200_001, 0, true]],
    [[200_000, 200_000], 'active', [0, 0, false]],
    [[200_000, 200_000], 'idle', [200_000, 0, false]],
    // A report with a clock that is ahead.
    [[60_000, -5_000], 'active', [0, -5_000, false]],
    [[60_000, -5_000], 'idle', none],
  ];
  for (const [known, status, expected] of rows) {
    const changed = seenAgain(known && times(...known), ADA, status, NOW);
    const wanted = expected && { seen: times(expected[0], expected[1]), cameOnline: expected[2] };
    assert.deepEqual(changed ?? null, wanted, `${known} ${status}`);
  }
});

test('of two reports the later of each of the times remains', () => {
  type Pair = [active: number | null, connected: number];
  const rows: [one: Pair, other: Pair, latest: Pair][] = [
    [
      [5, 3],
      [9, 3],
      [5, 3],
    ],
    [
      [9, 3],
      [5, 3],
      [5, 3],
    ],
    [
      [9, 1],
      [5, 3],
      [5, 1],
    ],
    [
      [null, 1],
      [5, 3],
      [5, 1],
    ],
    [
      [5, 3],
      [null, 1],
      [5, 1],
    ],
    [
      [null, 3],
      [null, 1],
      [null, 1],
    ],
  ];
  for (const [one, other, latest] of rows)
    assert.deepEqual(latestOf(times(...one), times(...other)), times(...latest), `${one} ${other}`);
});

test('users who hide their presence were never active and are offline', () => {
  const hidden = seenNoMore(ADA, NOW);
  assert.deepEqual(hidden, times(null, 320_000));
  assert.equal(isOffline(hidden, NOW), true);
});
