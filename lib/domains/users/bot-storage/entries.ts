import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { codePoints, describe, list, record, text } from '../../../kernel/schemas.ts';
import type { BotStorageEntry, BotStorageSize, BotStorageSizes } from '../../../storage/interface/bot-storage.ts';

/** In characters; also of four bytes each they fit into an index of PostgreSQL. */
const MAX_KEY_LENGTH = 500;
const MAX_VALUE_LENGTH = 1_000_000;
/** Keys that one call names. */
const MAX_NAMED = 5_000;
const MAX_ENTRIES = 50_000;
/** Of all keys and values. */
const MAX_CHARACTERS = 10_000_000;

export const storageParameter = describe(
  record(text(MAX_KEY_LENGTH), text(MAX_VALUE_LENGTH), 'must be an object'),
  `An object of at most ${MAX_NAMED} texts by their keys: keys of at most ${MAX_KEY_LENGTH} characters, texts of at most ${MAX_VALUE_LENGTH}.`,
);

/** @param without what it means to leave it out */
export const keysParameter = (without: string) =>
  v.optional(describe(list(text(MAX_KEY_LENGTH), MAX_NAMED), `At most ${MAX_NAMED} keys; ${without}.`));

/** Throws for more keys than one call may name. */
export function checkNumber(entries: readonly BotStorageEntry[]): void {
  if (entries.length > MAX_NAMED) throw new BadRequest(`storage has too many keys (limit: ${MAX_NAMED}).`);
}

/** What an account has once these are in the place of those with their keys. Throws where that is too much. */
export function sizeWith(entries: readonly BotStorageEntry[], { all, named }: BotStorageSizes): BotStorageSize {
  const given = entries.map(({ key, value }) => ({ key, characters: codePoints(key) + codePoints(value) }));
  const size = {
    entries: all.entries + given.length - named.length,
    characters: all.characters + charactersOf(given) - charactersOf(named),
  };
  if (size.entries > MAX_ENTRIES) throw new BadRequest(`You can store texts under at most ${MAX_ENTRIES} keys.`);
  if (size.characters > MAX_CHARACTERS) {
    throw new BadRequest(`You can store at most ${MAX_CHARACTERS} characters, those of keys included.`);
  }
  return size;
}

/** Likewise once those that are named are gone. */
export function sizeWithout({ all, named }: BotStorageSizes): BotStorageSize {
  return { entries: all.entries - named.length, characters: all.characters - charactersOf(named) };
}

const charactersOf = (sizes: BotStorageSizes['named']) => sizes.reduce((sum, { characters }) => sum + characters, 0);

/** Throws for a key that was asked for and is not there. */
export function checkPresent(asked: readonly string[], present: readonly { key: string }[]): void {
  const there = new Set(present.map(({ key }) => key));
  const missing = asked.find((key) => !there.has(key));
  if (missing !== undefined) throw new BadRequest(`You have stored nothing under the key ${JSON.stringify(missing)}.`);
}
