import { present } from '../../base/present.ts';

/** Whole numbers, without `to`. */
export interface Interval {
  from: number;
  to: number;
}

/** Disjoint intervals in ascending order. */
export type IntervalSet = readonly Interval[];

/** The numbers from `from` to before `to`. */
export const interval = (from: number, to: number): IntervalSet => (from < to ? [{ from, to }] : []);

/** In any order, and possibly overlapping. */
export function unionOf(intervals: IntervalSet): IntervalSet {
  const merged: Interval[] = [];
  for (const { from, to } of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) merged.push({ from, to });
  }
  return merged;
}

/** The second set may be much larger. */
export function intersect(some: IntervalSet, others: IntervalSet): IntervalSet {
  const common: Interval[] = [];
  for (const { from, to } of some) {
    for (const other of overlapping(others, { from, to })) {
      common.push({ from: Math.max(from, other.from), to: Math.min(to, other.to) });
    }
  }
  return common;
}

/** The second set may be much larger, as for `intersect`. */
export function minus(some: IntervalSet, others: IntervalSet): IntervalSet {
  const left: Interval[] = [];
  for (const { from, to } of some) {
    let start = from;
    for (const other of overlapping(others, { from, to })) {
      if (start < other.from) left.push({ from: start, to: other.from });
      start = other.to;
    }
    if (start < to) left.push({ from: start, to });
  }
  return left;
}

/** Whether a number from `from` to before `to` is in the set. */
export function hasAny(set: IntervalSet, range: Interval): boolean {
  return range.from < range.to && !overlapping(set, range).next().done;
}

/** The intervals of a set that overlap a range. The set may be large, so the place of the first one is looked up. */
function* overlapping(set: IntervalSet, { from, to }: Interval): Generator<Interval, undefined> {
  for (let at = firstEndingAfter(set, from); ; at++) {
    const next = set[at];
    if (!next || next.from >= to) return;
    yield next;
  }
}

function firstEndingAfter(set: IntervalSet, place: number): number {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (present(set[middle]).to > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
