/** Milliseconds by which the clock of a server may differ from the database's. */
const MAX_DIFFERENCE_MS = 5_000;

/** `60 s behind the database's`; undefined up to 5 s. @param offsetMs to add for the time of the database */
export function clockDifference(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) <= MAX_DIFFERENCE_MS) return undefined;
  return `${Math.round(Math.abs(offsetMs) / 1000)} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the database's`;
}
