import { stemmer } from 'stemmer';
import { foldSearch, nameKey } from './fold.ts';
import { plainLetters } from './plain-letters.ts';

/**
 * A part of a text for searching. `word`: letters and digits. `run`: characters of a script without spaces, which any
 * of its substrings finds. `sign`: a single symbol.
 */
export interface TextPart {
  readonly kind: 'word' | 'run' | 'sign';
  readonly text: string;
  /** Position in the folded text. */
  readonly at: number;
}

/** Letters of a word in the index. For longer words, compare the rest with the text. */
export const KNOWN_LETTERS = 24;

const ASCII = /^[\0-\x7f]*$/;
/** Symbols that can be searched for. Ordinary punctuation and Markdown symbols are ignored. */
const SIGNS = '[%&+=$<|^{}\\\\~]';
const RUN_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'];
const OF_RUN = `(?=[\\p{L}\\p{N}\\p{M}])[${RUN_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
const PARTS = new RegExp(
  `((?:${OF_RUN})+)|((?!${OF_RUN})[\\p{L}\\p{N}](?:(?!${OF_RUN})[\\p{L}\\p{N}\\p{M}])*)|${SIGNS}|(?![\\0-\\x7f])\\p{S}`,
  'gu',
);

const WORD = 1;
const SIGN = 2;
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z0-9]/.test(character) ? WORD : new RegExp(SIGNS).test(character) ? SIGN : 0;
});

/** Visits the parts of a folded text in order, without allocating strings for them. */
export function visitParts(folded: string, visit: (kind: TextPart['kind'], from: number, to: number) => void): void {
  if (!ASCII.test(folded)) {
    for (const { 0: text, 1: run, 2: word, index } of folded.matchAll(PARTS))
      visit(run ? 'run' : word ? 'word' : 'sign', index, index + text.length);
    return;
  }
  // Fast path for ASCII, which most messages are.
  for (let at = 0; at < folded.length; at++) {
    const kind = ASCII_KINDS[folded.charCodeAt(at)];
    if (kind === SIGN) visit('sign', at, at + 1);
    if (kind !== WORD) continue;
    const from = at;
    while (at + 1 < folded.length && ASCII_KINDS[folded.charCodeAt(at + 1)] === WORD) at++;
    visit('word', from, at + 1);
  }
}

export function partsOf(folded: string): TextPart[] {
  const parts: TextPart[] = [];
  visitParts(folded, (kind, from, to) => parts.push({ kind, text: folded.slice(from, to), at: from }));
  return parts;
}

/**
 * The index words of a text, without duplicates. They consist of letters and digits. A prefix is the kind:
 *
 * - `w`: a word
 * - `s`: the stem of a word, if it differs from the word
 * - `c`: one or two characters of a run
 * - `x`: a symbol
 */
export function indexedWords(content: string): Set<string> {
  const folded = foldSearch(content);
  const found = new Set<string>();
  visitParts(folded, (kind, from, to) => {
    const text = folded.slice(from, to);
    if (kind === 'word') addWord(found, text);
    else if (kind === 'sign') found.add(signWord(text));
    else for (const piece of runPieces(text)) found.add(piece);
  });
  return found;
}

function addWord(found: Set<string>, word: string): void {
  found.add(knownWord(word));
  const stem = stemOf(word);
  if (stem !== word) found.add(`s${stem}`);
}

export function knownWord(word: string): string {
  return `w${firstLetters(word)}`;
}

/** The letters of a word in the index. Never splits a surrogate pair. */
function firstLetters(word: string): string {
  if (word.length <= KNOWN_LETTERS) return word;
  const cut = word.slice(0, KNOWN_LETTERS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function signWord(sign: string): string {
  return `x${sign.codePointAt(0)?.toString(16)}`;
}

/** The characters of a run, and all pairs of neighbours. */
function* runPieces(run: string): Generator<string> {
  let before = '';
  for (const letter of run) {
    yield `c${letter}`;
    if (before) yield `c${before}${letter}`;
    before = letter;
  }
}

/** Index words that every text with this run contains. */
export function searchedPieces(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return [`c${run}`];
  return [...new Set(letters.slice(1).map((letter, at) => `c${letters[at]}${letter}`))];
}

/** Cache of stems: stemming a word takes longer than splitting a message. */
const stems = new Map<string, string>();
const MAX_CACHED_STEMS = 20_000;

/** The stem of a word. Words of other scripts, short words and very long words are their own stems. */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > KNOWN_LETTERS) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]+$/.test(word) ? stemmer(word) : word;
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** Ranks of a match, best first. */
export type NameRank = 0 | 1 | 2;

/** Results of a search for names: as many as a list of suggestions shows. */
const MAX_FOUND_NAMES = 20;
export const MAX_NAME_QUERY = 100;

/**
 * A name or a query for comparing beginnings of words: without case, accents, strokes and punctuation, each word after a blank.
 * Characters of scripts without blanks are words of their own. A text without words stays as it is.
 */
export function searchedName(text: string): string {
  const folded = ASCII.test(text) ? text.trim().toLowerCase() : foldSearch(plainLetters(nameKey(text)));
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
