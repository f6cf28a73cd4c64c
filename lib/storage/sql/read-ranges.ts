export interface Range {
  from_id: number;
  to_id: number;
}

/** A message to cover, with its nearest neighbours in the conversation that can be unread. */
export interface Newcomer {
  id: number;
  /** Last message, if a whole range starting at `id` is to be covered. */
  to_id?: number;
  previous_id: number | null;
  next_id: number | null;
}

/**
 * The changes of the stored ranges of a conversation to cover the newcomers. Merges ranges without an unread message
 * between them.
 */
export function cover(ranges: readonly Range[], newcomers: readonly Newcomer[]): { gone: Range[]; kept: Range[] } {
  const pieces = [
    ...ranges.map((range) => ({ ...range, reachesFrom: range.from_id, reachesTo: range.to_id, stored: range })),
    ...newcomers.map(({ id, to_id = id, previous_id, next_id }) => ({
      from_id: id,
      to_id,
      reachesFrom: (previous_id ?? -1) + 1,
      reachesTo: (next_id ?? to_id + 1) - 1,
      stored: undefined,
    })),
  ].sort((one, other) => one.from_id - other.from_id);

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
