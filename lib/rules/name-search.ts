import { foldSearch, nameKey } from './fold.ts';
import { partsOf } from './search-words.ts';

/** Ranks of a match, best first. */
export type NameRank = 0 | 1 | 2;

/** Results of a search for names: as many as a list of suggestions shows. */
export const MAX_FOUND_NAMES = 20;
export const MAX_NAME_QUERY = 100;

const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * A name or a query for comparing beginnings of words: without case, accents and punctuation, each word after a blank.
 * Characters of scripts without blanks are words of their own. A text without words stays as it is.
 */
export function searchedName(text: string): string {
  const folded = ASCII.test(text)
    ? text.trim().toLowerCase()
    : foldSearch(nameKey(text).normalize('NFKD').replace(ACCENTS, ''));
  const words = partsOf(folded).flatMap((part) => (part.kind === 'run' ? [...part.text] : [part.text]));
  if (words.length === 0) return folded === '' ? '' : ` ${folded}`;
  return ` ${words.join(' ')}`;
}

/** Compares names with one query. Both are `searchedName()`. */
export class NameQuery {
  readonly #words: readonly string[];

  constructor(readonly query: string) {
    this.#words = [...new Set(query.split(' '))].filter((word) => word !== '').map((word) => ` ${word}`);
  }

  /**
   * 0: the same name. 1: the name starts with the query. 2: each word of the query starts a word of the name.
   * undefined: no match. An empty query matches every name.
   */
  rank(name: string): NameRank | undefined {
    if (name === this.query) return 0;
    if (name.startsWith(this.query)) return 1;
    return this.#words.every((word) => name.includes(word)) ? 2 : undefined;
  }
}

/** The first items of the order, without sorting all. */
export function firstInOrder<T>(items: Iterable<T>, compare: (a: T, b: T) => number, count = MAX_FOUND_NAMES): T[] {
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length === count && last !== undefined && compare(item, last) >= 0) continue;
    const at = first.findIndex((other) => compare(item, other) < 0);
    first.splice(at === -1 ? first.length : at, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
