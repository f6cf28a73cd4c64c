import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Run, shortestEdit } from '../../../../lib/domains/messages/history/shortest-edit.ts';

const UNLIMITED = { changes: 1_000, steps: 1_000_000 };
const numbers = fc.array(fc.nat(3), { maxLength: 12 });

function edit(old: readonly number[], present: readonly number[], allowed = UNLIMITED) {
  return shortestEdit(Int32Array.from(old), Int32Array.from(present), allowed);
}

const changesIn = (runs: readonly Run[]) =>
  runs.reduce((sum, { kind, length }) => (kind === 'kept' ? sum : sum + length), 0);

/** By trying everything. */
function longestInCommon(one: readonly number[], other: readonly number[]): number {
  const [first, ...rest] = one;
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const without = longestInCommon(rest, other);
  return at === -1 ? without : Math.max(without, 1 + longestInCommon(rest, other.slice(at + 1)));
}

test('the runs lead from one list to the other, with as few changes as there can be', () => {
  fc.assert(
    fc.property(numbers, numbers, (old, present) => {
      const { runs } = edit(old, present);
      assert.ok(runs);
      const left = [...old];
      const built: number[] = [];
      for (const { kind, length } of runs) {
        assert.ok(length > 0);
        if (kind === 'inserted') built.push(...present.slice(built.length, built.length + length));
        else if (kind === 'deleted') left.splice(0, length);
        else built.push(...left.splice(0, length));
      }
      assert.deepEqual(built, present);
      assert.deepEqual(left, []);
      assert.equal(changesIn(runs), old.length + present.length - 2 * longestInCommon(old, present));
    }),
    { numRuns: 2_000 },
  );
});

test('what is gone comes before what is new in its place', () => {
  assert.deepEqual(edit([1, 2, 3, 9], [4, 5, 6, 9]).runs, [
    { kind: 'deleted', length: 3 },
    { kind: 'inserted', length: 3 },
    { kind: 'kept', length: 1 },
  ]);
});

test('more changes, or more steps, than are allowed give no runs', () => {
  assert.ok(edit([1, 2], [3, 4], { changes: 4, steps: 1_000 }).runs);
  assert.equal(edit([1, 2], [3, 4], { changes: 3, steps: 1_000 }).runs, undefined);
  const long = Array.from({ length: 5_000 }, (_, at) => at % 7);
  const { runs, steps } = edit(long, [...long].reverse(), { changes: 1_000, steps: 20_000 });
  assert.equal(runs, undefined);
  assert.ok(steps <= 20_000 + long.length, `${steps} steps`);
});
