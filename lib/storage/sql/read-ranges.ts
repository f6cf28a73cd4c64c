import { groupBy } from '../../base/lists.ts';

export interface Range {
  from_id: number;
  to_id: number;
}

/** A message to cover, with its nearest neighbours in the conversation that can be unread. */
export interface ReadMessage {
  id: number;
  /** Last message, if a whole range starting at `id` is to be covered. */
  to_id?: number;
  previous_id: number | null;
  next_id: number | null;
}

/**
 * The changes of the stored ranges of a conversation to cover the messages. Merges ranges without an unread message
 * between them.
 */
export function cover(ranges: readonly Range[], newlyRead: readonly ReadMessage[]): { gone: Range[]; kept: Range[] } {
  const pieces = [
    ...ranges.map((range) => ({ ...range, reachesFrom: range.from_id, reachesTo: range.to_id, stored: range })),
    ...newlyRead.map(({ id, to_id = id, previous_id, next_id }) => ({
      from_id: id,
      to_id,
      reachesFrom: (previous_id ?? -1) + 1,
      reachesTo: (next_id ?? to_id + 1) - 1,
      stored: undefined,
    })),
  ].sort((a, b) => a.from_id - b.from_id);

  const gone: Range[] = [];
  const kept: Range[] = [];
  let current: (Range & { reachesTo: number; parts: Range[]; fresh: boolean }) | undefined;
  const finish = () => {
    if (!current?.fresh) return;
    const { from_id, to_id, parts } = current;
    // A range with the same start is overwritten.
    gone.push(...parts.filter((part) => part.from_id !== from_id));
    kept.push({ from_id, to_id });
  };
  for (const piece of pieces) {
    if (current && piece.reachesFrom <= current.reachesTo + 1) {
      current.to_id = Math.max(current.to_id, piece.to_id);
      current.reachesTo = Math.max(current.reachesTo, piece.reachesTo);
    } else {
      finish();
      current = { from_id: piece.from_id, to_id: piece.to_id, reachesTo: piece.reachesTo, parts: [], fresh: false };
    }
    if (piece.stored) current.parts.push(piece.stored);
    else current.fresh = true;
  }
  finish();
  return { gone, kept };
}

/** A message between the first and the last moved one: in the target topic, or moving there. */
export interface Slot {
  id: number;
  sender_id: number;
  read_by_sender: boolean;
  arriving: boolean;
}

/** A subscriber of the target channel. */
export interface MovedReader {
  user_id: number;
  /** Floor of the subscription to the new channel. */
  floor: number;
  /** Floor of the subscription to the old channel. undefined without one: nothing was unread there. */
  oldFloor: number | undefined;
  /** Ranges in the old topic that overlap the window. */
  before: readonly Range[];
  /** Ranges in the new topic that overlap the window. */
  after: readonly Range[];
  /** Moved messages that are explicitly marked as unread. */
  marked: ReadonlySet<number>;
}

/**
 * The slots of a move, ascending. Shared by thousands of readers, and indexed so that each reader costs the number of
 * their ranges, not of the messages.
 */
export class ReadRangeRewriter {
  readonly low: number;
  readonly high: number;
  readonly #ids: readonly number[];
  readonly #arriving: readonly boolean[];
  /** For each slot, the end of the run of slots that are also moved, or also not moved. */
  readonly #ends: Int32Array;
  /** By sender, indexes of their own messages, which count as read for them. */
  readonly #own: ReadonlyMap<number | undefined, readonly number[]>;

  constructor(slots: readonly Slot[]) {
    this.#ids = slots.map(({ id }) => id);
    this.#arriving = slots.map(({ arriving }) => arriving);
    this.low = this.#ids[0] as number;
    this.high = this.#ids.at(-1) as number;
    this.#ends = new Int32Array(slots.length);
    for (let at = slots.length - 1; at >= 0; at--) {
      const continues = at + 1 < slots.length && this.#arriving[at + 1] === this.#arriving[at];
      this.#ends[at] = continues ? (this.#ends[at + 1] as number) : at + 1;
    }
    const own = [...slots.keys()].filter((at) => slots[at]?.read_by_sender);
    this.#own = groupBy(own, (at) => slots[at]?.sender_id);
  }

  /**
   * The ranges of the reader in the new topic that keep their read state, and messages that stay unread despite the
   * floor.
   */
  settle(reader: MovedReader): { ranges: Range[]; unread: number[] } {
    const { before, after, floor, oldFloor } = reader;
    const ranges: Range[] = [];
    const unread: number[] = [];
    const first = after[0];
    const last = after.at(-1);
    let current: Range | undefined =
      first && first.from_id < this.low ? { from_id: first.from_id, to_id: this.low - 1 } : undefined;
    const own = this.#own.get(reader.user_id) ?? [];
    const marks = oldFloor === undefined ? [] : [...reader.marked].sort((a, b) => a - b);
    let ofBefore = 0;
    let ofAfter = 0;
    let ofMarks = 0;

    const note = (from: number, to: number, isRead: boolean) => {
      const edges = withoutOwn(own, from, to);
      if (!edges) return;
      const to_id = this.#ids[edges.last] as number;
      if (isRead) {
        if (current) current.to_id = to_id;
        else current = { from_id: this.#ids[edges.first] as number, to_id };
      } else if (current) {
        ranges.push(current);
        current = undefined;
      }
    };
    const noteUnread = (from: number, to: number) => {
      const theirs = new Set(own.slice(placeOf(own, from), placeOf(own, to)));
      for (let at = from; at < to; at++)
        if (this.#arriving[at] && !theirs.has(at)) unread.push(this.#ids[at] as number);
    };

    for (let at = 0; at < this.#ids.length; ) {
      const id = this.#ids[at] as number;
      while (ofBefore < before.length && (before[ofBefore] as Range).to_id < id) ofBefore++;
      while (ofAfter < after.length && (after[ofAfter] as Range).to_id < id) ofAfter++;
      while (ofMarks < marks.length && (marks[ofMarks] as number) < id) ofMarks++;
      const had = stretch(before[ofBefore], id);
      const has = stretch(after[ofAfter], id);
      const mark = marks[ofMarks];
      const isMarked = mark === id;
      const isOld = oldFloor !== undefined && id <= oldFloor;
      // Up to here nothing changes but who arrives.
      let end = Math.min(had.to, has.to, isMarked ? id : (mark ?? Number.POSITIVE_INFINITY) - 1);
      if (id <= floor) end = Math.min(end, floor);
      if (isOld) end = Math.min(end, oldFloor);
      const next = isMarked ? at + 1 : placeOf(this.#ids, end + 1, at + 1);
      const wasRead = oldFloor === undefined || (!isMarked && (isOld || had.isIn));
      if (id <= floor) {
        if (!wasRead) noteUnread(at, next);
      } else if (wasRead === has.isIn) note(at, next, wasRead);
      else {
        for (let from = at; from < next; ) {
          const to = Math.min(this.#ends[from] as number, next);
          note(from, to, this.#arriving[from] ? wasRead : has.isIn);
          from = to;
        }
      }
      at = next;
    }
    if (last && last.to_id > this.high) {
      if (current) current.to_id = last.to_id;
      else current = { from_id: this.high + 1, to_id: last.to_id };
    }
    if (current) ranges.push(current);
    return { ranges, unread };
  }
}

/** Whether a message lies in the range that is the first to end behind it, and up to which one that stays so. */
function stretch(range: Range | undefined, id: number): { isIn: boolean; to: number } {
  if (!range) return { isIn: false, to: Number.POSITIVE_INFINITY };
  return range.from_id <= id ? { isIn: true, to: range.to_id } : { isIn: false, to: range.from_id - 1 };
}

/** The first and the last place of a stretch that are not among the reader's own, which are read either way. */
function withoutOwn(own: readonly number[], from: number, to: number): { first: number; last: number } | undefined {
  let first = from;
  for (let at = placeOf(own, from); own[at] === first; at++) first++;
  if (first >= to) return undefined;
  let last = to - 1;
  for (let at = placeOf(own, to) - 1; own[at] === last; at--) last--;
  return { first, last };
}

/** Where the first of ascending numbers stands that is no less than one. */
function placeOf(numbers: readonly number[], wanted: number, from = 0): number {
  let low = from;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
