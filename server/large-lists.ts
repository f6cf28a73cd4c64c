import { RawJson, Turns } from '../lib/internal.ts';

/** Shorter lists are written without a pause: with the longest messages, that takes a few milliseconds. */
const MIN_LARGE_LIST_ITEMS = 100;

/**
 * Serializes long lists and large objects in a response. Pauses while doing so, because writing megabytes would block
 * other requests.
 */
export async function withLongListsWritten(result: object): Promise<object> {
  const turns = new Turns();
  const written: Record<string, unknown> = { ...result };
  for (const [name, value] of Object.entries(result))
    if (isLong(value)) written[name] = new RawJson(await writeEntries(value, turns));
  return written;
}

/** Whether a response has long lists. Most do not. */
export function hasLongLists(result: object): boolean {
  for (const name in result) if (isLong((result as Record<string, unknown>)[name])) return true;
  return false;
}

/** Lists of numbers are not long: writing them is faster than checking. */
function isLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return false;
  if (Array.isArray(value)) return value.length > MIN_LARGE_LIST_ITEMS && typeof value[0] === 'object';
  return Object.keys(value).length > MIN_LARGE_LIST_ITEMS;
}

async function writeEntries(value: object, turns: Turns): Promise<Buffer> {
  const isList = Array.isArray(value);
  const pieces: Buffer[] = [];
  let text = isList ? '[' : '{';
  let comma = '';
  for (const [name, entry] of Object.entries(value)) {
    const json = JSON.stringify(entry) ?? (isList ? 'null' : undefined);
    if (json === undefined) continue;
    text += isList ? comma + json : `${comma}${JSON.stringify(name)}:${json}`;
    comma = ',';
    if (!turns.isOver()) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await turns.next();
  }
  pieces.push(Buffer.from(`${text}${isList ? ']' : '}'}`));
  return Buffer.concat(pieces);
}
