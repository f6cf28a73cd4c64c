import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { describe, list, record, text } from '../../../kernel/schemas.ts';
import type { BotStorageSize, BotStorageSizes, SizedBotStorageEntry } from '../../../storage/interface/bot-storage.ts';

/** In characters; also of four bytes each they fit into an index of PostgreSQL. */
const MAX_KEY_LENGTH = 500;
const MAX_VALUE_LENGTH = 1_000_000;
/** Keys that one call names. */
const MAX_NAMED = 5_000;
const MAX_ENTRIES = 50_000;
/** Of an answer with everything. */
const MAX_BYTES = 10_000_000;

export const storageParameter = describe(
  record(text(MAX_KEY_LENGTH), text(MAX_VALUE_LENGTH), 'must be an object'),
  `An object of at most ${MAX_NAMED} texts by their keys: keys of at most ${MAX_KEY_LENGTH} characters, texts of at most ${MAX_VALUE_LENGTH}.`,
);

/** @param without what it means to leave it out */
export const keysParameter = (without: string) =>
  v.optional(describe(list(text(MAX_KEY_LENGTH), MAX_NAMED), `At most ${MAX_NAMED} keys; ${without}.`));

/** With the bytes that each adds to an answer. Throws for more keys than one call may name. */
export function sizedEntries(storage: Readonly<Record<string, string>>): SizedBotStorageEntry[] {
  const entries = Object.entries(storage);
  if (entries.length > MAX_NAMED) throw new BadRequest(`storage has too many keys (limit: ${MAX_NAMED}).`);
  return entries.map(([key, value]) => ({ key, value, bytes: bytesIn(key) + bytesIn(value) }));
}

const bytesIn = (text: string) => Buffer.byteLength(JSON.stringify(text));

/** What an account has once these are in the place of those with their keys. Throws where that is too much. */
export function sizeWith(given: BotStorageSizes['named'], { all, named }: BotStorageSizes): BotStorageSize {
  const size = {
    entries: all.entries + given.length - named.length,
    bytes: all.bytes + bytesOf(given) - bytesOf(named),
  };
  if (size.entries > MAX_ENTRIES) throw new BadRequest(`You can store texts under at most ${MAX_ENTRIES} keys.`);
  if (size.bytes > MAX_BYTES) {
    throw new BadRequest(`You can store at most ${MAX_BYTES} bytes of JSON, those of keys included.`);
  }
  return size;
}

/** Likewise once those that are named are gone. */
export function sizeWithout({ all, named }: BotStorageSizes): BotStorageSize {
  return { entries: all.entries - named.length, bytes: all.bytes - bytesOf(named) };
}

const bytesOf = (sizes: BotStorageSizes['named']) => sizes.reduce((sum, { bytes }) => sum + bytes, 0);

/** Throws for a key that was asked for and is not there. */
export function checkPresent(asked: readonly string[], present: readonly { key: string }[]): void {
  const there = new Set(present.map(({ key }) => key));
  const missing = asked.find((key) => !there.has(key));
  if (missing !== undefined) throw new BadRequest(`You have stored nothing under the key ${JSON.stringify(missing)}.`);
}
