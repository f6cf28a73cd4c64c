import { chunked, joinedJson, RawJson, TimeSlice } from '../lib/internal.ts';

/** Shorter lists are written without a pause: with the longest messages, that takes a few milliseconds. */
const MIN_LARGE_LIST_ITEMS = 100;
/** With the longest messages, a part takes about a millisecond. */
const ENTRIES_PER_PART = 20;

/**
 * Serializes long lists and large objects in a response. Pauses while doing so, because writing megabytes would block
 * other requests.
 */
export async function withLongListsWritten(result: object): Promise<object> {
  const slice = new TimeSlice();
  const written: Record<string, unknown> = { ...result };
  for (const [name, value] of Object.entries(result))
    if (isLong(value)) written[name] = await writeEntries(value, slice);
  return written;
}

/** Lists of numbers are not long: writing them is faster than checking. */
function isLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return false;
  if (Array.isArray(value)) return value.length > MIN_LARGE_LIST_ITEMS && typeof value[0] === 'object';
  return Object.keys(value).length > MIN_LARGE_LIST_ITEMS;
}

async function writeEntries(value: object, slice: TimeSlice): Promise<RawJson<unknown>> {
  const isList = Array.isArray(value);
  const parts: Buffer[] = [];
  for (const part of chunked(Object.entries(value), ENTRIES_PER_PART)) {
    const entries = isList ? part.map(([, entry]) => entry) : Object.fromEntries(part);
    const json = JSON.stringify(entries).slice(1, -1);
    if (json !== '') parts.push(Buffer.from(json));
    if (slice.isOver()) await slice.next();
  }
  return joinedJson(isList ? '[]' : '{}', parts);
}
