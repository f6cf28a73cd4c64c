import { BadRequest } from '../../../base/errors.ts';
import { describe, list, optional, record, text } from '../../../base/schemas.ts';
import type { BotStorageSize, BotStorageSizes, SizedBotStorageEntry } from '../../../storage/interface/personal.ts';

/** In characters. Even with 4 bytes per character, a key fits into a PostgreSQL index. */
const MAX_KEY_LENGTH = 500;
const MAX_VALUE_LENGTH = 1_000_000;
const MAX_NAMED = 5_000;
const MAX_ENTRIES = 50_000;
/** Size of a response with all entries. */
const MAX_BYTES = 10_000_000;

export const storageParameter = describe(
  record(text(MAX_KEY_LENGTH), text(MAX_VALUE_LENGTH), 'must be an object'),
  `Object with at most ${MAX_NAMED} keys. Values are strings. Keys have at most ${MAX_KEY_LENGTH} characters, values ${MAX_VALUE_LENGTH}.`,
);

/** @param without describes the default, when the parameter is omitted */
export const keysParameter = (without: string) =>
  optional(list(text(MAX_KEY_LENGTH), MAX_NAMED), `At most ${MAX_NAMED} keys. ${without}.`);

/** Adds to each entry its size in a response. Throws if there are too many keys for one request. */
export function sizedEntries(storage: Readonly<Record<string, string>>): SizedBotStorageEntry[] {
  const entries = Object.entries(storage);
  if (entries.length > MAX_NAMED) throw new BadRequest(`storage has too many keys (limit: ${MAX_NAMED}).`);
  return entries.map(([key, value]) => ({ key, value, bytes: bytesIn(key) + bytesIn(value) }));
}

const bytesIn = (text: string) => Buffer.byteLength(JSON.stringify(text));

/** Size of the storage after the given entries are written. Throws if it exceeds the limits. */
export function sizeWith(given: BotStorageSizes['named'], { all, named }: BotStorageSizes): BotStorageSize {
  const size = {
    entries: all.entries + given.length - named.length,
    bytes: all.bytes + bytesOf(given) - bytesOf(named),
  };
  if (size.entries > MAX_ENTRIES)
    throw new BadRequest(`You can store at most ${MAX_ENTRIES} keys. Remove some keys first.`);
  if (size.bytes > MAX_BYTES) {
    throw new BadRequest(`You can store at most ${MAX_BYTES} bytes, as JSON with the keys. Remove some keys first.`);
  }
  return size;
}

export function sizeWithout({ all, named }: BotStorageSizes): BotStorageSize {
  return { entries: all.entries - named.length, bytes: all.bytes - bytesOf(named) };
}

const bytesOf = (sizes: BotStorageSizes['named']) => sizes.reduce((sum, { bytes }) => sum + bytes, 0);

export function checkPresent(keys: readonly string[], present: readonly { key: string }[]): void {
  const there = new Set(present.map(({ key }) => key));
  const missing = keys.find((key) => !there.has(key));
  if (missing !== undefined)
    throw new BadRequest(`The key ${JSON.stringify(missing)} does not exist in your bot storage.`);
}
