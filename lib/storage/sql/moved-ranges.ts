import type { Range } from './read-ranges.ts';

/** A message between the first and the last one that moves, in the topic they move to or about to arrive there. */
export interface Slot {
  id: number;
  sender_id: number;
  read_by_sender: boolean;
  arriving: boolean;
}

/** A subscriber of the channel that the messages move to. */
export interface MovedReader {
  user_id: number;
  /** Of the subscription to the new channel. */
  floor: number;
  /** Of the subscription to the old channel; undefined without one: nothing was unread there. */
  oldFloor: number | undefined;
  /** Ranges in the old topic that meet the window. */
  before: readonly Range[];
  /** Ranges in the new topic that meet the window. */
  after: readonly Range[];
  /** Arriving messages explicitly marked as unread. */
  marked: ReadonlySet<number>;
}

/**
 * What the reader's ranges in the new topic must be, within the window and where they reach out of it, so
 * that everybody keeps what they had read; and messages unread in spite of the floor. Slots ascend.
 */
export function settle(slots: readonly Slot[], reader: MovedReader): { ranges: Range[]; unread: number[] } {
  const low = (slots[0] as Slot).id;
  const high = (slots.at(-1) as Slot).id;
  const wasCovered = coverage(reader.before);
  const isCovered = coverage(reader.after);
  const first = reader.after[0];
  const last = reader.after.at(-1);
  const ranges: Range[] = [];
  const unread: number[] = [];
  let current: Range | undefined =
    first && first.from_id < low ? { from_id: first.from_id, to_id: low - 1 } : undefined;
  for (const slot of slots) {
    const { id } = slot;
    const had = wasCovered(id);
    const has = isCovered(id);
    // Read either way: such messages neither carry a range on nor end it.
    if (slot.sender_id === reader.user_id && slot.read_by_sender) continue;
    const wasRead = reader.oldFloor === undefined || (!reader.marked.has(id) && (id <= reader.oldFloor || had));
    if (id <= reader.floor) {
      if (slot.arriving && !wasRead) unread.push(id);
      continue;
    }
    if (slot.arriving ? wasRead : has) {
      if (current) current.to_id = id;
      else current = { from_id: id, to_id: id };
    } else if (current) {
      ranges.push(current);
      current = undefined;
    }
  }
  if (last && last.to_id > high) {
    if (current) current.to_id = last.to_id;
    else current = { from_id: high + 1, to_id: last.to_id };
  }
  if (current) ranges.push(current);
  return { ranges, unread };
}

/** Whether ascending ids lie in ascending ranges. */
function coverage(ranges: readonly Range[]): (id: number) => boolean {
  let at = 0;
  return (id) => {
    while (at < ranges.length && (ranges[at] as Range).to_id < id) at++;
    const range = ranges[at];
    return range !== undefined && range.from_id <= id;
  };
}
