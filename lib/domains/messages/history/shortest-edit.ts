/** A number of elements that are in both lists, or in one list. */
export interface Run {
  kind: 'kept' | 'deleted' | 'inserted';
  length: number;
}

/**
 * The shortest edit from one list of numbers to another (E. Myers, "An O(ND) difference algorithm and its variations",
 * 1986). Deletions come before insertions. `runs` is undefined if it needs more changes or steps than allowed. Memory
 * grows with the square of the changes.
 */
export function shortestEdit(
  old: Int32Array,
  present: Int32Array,
  allowed: { changes: number; steps: number },
): { runs: Run[] | undefined; steps: number } {
  const goal = old.length - present.length;
  const changes = Math.min(allowed.changes, old.length + present.length);
  // The furthest position on each diagonal, now and before each round.
  const middle = changes + 1;
  const furthest = new Int32Array(2 * changes + 3);
  const rounds: Int32Array[] = [];
  let steps = 0;
  for (let d = 0; d <= changes; d++) {
    rounds.push(furthest.slice(middle - d, middle + d + 1));
    for (let k = -d; k <= d; k += 2) {
      const left = furthest[middle + k - 1] as number;
      const above = furthest[middle + k + 1] as number;
      const start = k === -d || (k !== d && left < above) ? above : left + 1;
      let x = start;
      while (x < old.length && x - k < present.length && old[x] === present[x - k]) x++;
      steps += x - start + 1;
      if (steps > allowed.steps) return { runs: undefined, steps };
      furthest[middle + k] = x;
      if (k === goal && x >= old.length) return { runs: runsOf(rounds, old.length, present.length), steps };
    }
  }
  return { runs: undefined, steps };
}

function runsOf(rounds: readonly Int32Array[], oldLength: number, presentLength: number): Run[] {
  const backwards: Run[] = [];
  let deleted = 0;
  let inserted = 0;
  const finish = () => {
    if (inserted > 0) backwards.push({ kind: 'inserted', length: inserted });
    if (deleted > 0) backwards.push({ kind: 'deleted', length: deleted });
    deleted = inserted = 0;
  };
  const keep = (length: number) => {
    if (length === 0) return;
    finish();
    backwards.push({ kind: 'kept', length });
  };
  let x = oldLength;
  let y = presentLength;
  for (let d = rounds.length - 1; d > 0; d--) {
    const before = rounds[d] as Int32Array;
    const k = x - y;
    const isInsertion = k === -d || (k !== d && (before[d + k - 1] as number) < (before[d + k + 1] as number));
    const previous = isInsertion ? k + 1 : k - 1;
    const cameFrom = before[d + previous] as number;
    keep(x - (isInsertion ? cameFrom : cameFrom + 1));
    if (isInsertion) inserted++;
    else deleted++;
    x = cameFrom;
    y = cameFrom - previous;
  }
  keep(x);
  finish();
  return backwards.reverse();
}
