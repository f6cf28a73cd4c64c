import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import { hasAny, type Interval, type IntervalSet, intersect, interval, minus, unionOf } from './interval-set.ts';

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
 * The slots of a move, ascending, as a set of their places. Shared by thousands of readers: each costs the number of
 * their ranges, not of the messages.
 */
export class ReadRangeRewriter {
  readonly low: number;
  readonly high: number;
  readonly #ids: readonly number[];
  readonly #arriving: IntervalSet;
  /** By sender, their own messages, which count as read for them. */
  readonly #own: ReadonlyMap<number | undefined, IntervalSet>;

  constructor(slots: readonly Slot[]) {
    this.#ids = slots.map(({ id }) => id);
    this.low = present(this.#ids[0]);
    this.high = present(this.#ids.at(-1));
    const places = slots.map((slot, from) => ({ ...slot, from, to: from + 1 }));
    this.#arriving = unionOf(places.filter(({ arriving }) => arriving));
    const own = groupBy(
      places.filter((place) => place.read_by_sender),
      ({ sender_id }) => sender_id,
    );
    this.#own = new Map([...own].map(([sender, those]) => [sender, unionOf(those)]));
  }

  /**
   * The ranges of the reader in the new topic that keep their read state, and messages that stay unread despite the
   * floor.
   */
  rewrite(reader: MovedReader): { ranges: Range[]; unread: number[] } {
    const all = interval(0, this.#ids.length);
    const belowFloor = interval(0, this.#placeAfter(reader.floor));
    const own = this.#own.get(reader.user_id) ?? [];
    const wasRead = reader.oldFloor === undefined ? all : this.#readBefore(reader, reader.oldFloor);
    const has = this.#placesIn(reader.after);
    const read = unionOf([
      ...intersect(wasRead, has),
      ...intersect(minus(wasRead, has), this.#arriving),
      ...minus(minus(has, wasRead), this.#arriving),
    ]);
    const stored = minus(minus(read, belowFloor), own);
    const unread = minus(minus(minus(all, belowFloor), read), own);
    const unreadBelow = intersect(minus(minus(belowFloor, wasRead), own), this.#arriving);
    return { ranges: this.#rangesOf(stored, unread, reader.after), unread: unreadBelow.flatMap(this.#idsOf) };
  }

  #readBefore({ before, marked }: MovedReader, oldFloor: number): IntervalSet {
    const marks = [...marked].map((id) => ({ from_id: id, to_id: id }));
    const read = unionOf([...interval(0, this.#placeAfter(oldFloor)), ...this.#placesIn(before)]);
    return minus(read, this.#placesIn(marks));
  }

  /** One range for all read messages without an unread one between them, also those outside of the window. */
  #rangesOf(read: IntervalSet, unread: IntervalSet, stored: readonly Range[]): Range[] {
    const [first, last] = [stored[0], stored.at(-1)];
    const pieces = read.map(({ from, to }) => ({ from, to, from_id: this.#idAt(from), to_id: this.#idAt(to - 1) }));
    const end = this.#ids.length;
    if (first && first.from_id < this.low) pieces.unshift({ from: 0, to: 0, ...first, to_id: this.low - 1 });
    if (last && last.to_id > this.high) pieces.push({ from: end, to: end, from_id: this.high + 1, to_id: last.to_id });
    const ranges: typeof pieces = [];
    for (const piece of pieces) {
      const current = ranges.at(-1);
      if (!current || hasAny(unread, { from: current.to, to: piece.from })) ranges.push(piece);
      else Object.assign(current, { to: piece.to, to_id: piece.to_id });
    }
    return ranges.map(({ from_id, to_id }) => ({ from_id, to_id }));
  }

  #placesIn(ranges: readonly Range[]): IntervalSet {
    return unionOf(
      ranges.map(({ from_id, to_id }) => ({ from: this.#placeAfter(from_id - 1), to: this.#placeAfter(to_id) })),
    );
  }

  /** Where the messages after this ID begin. */
  #placeAfter(id: number): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#idAt(middle) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #idAt(place: number): number {
    return present(this.#ids[place]);
  }

  readonly #idsOf = ({ from, to }: Interval): number[] => this.#ids.slice(from, to);
}
