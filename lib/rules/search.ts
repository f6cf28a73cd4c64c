import { foldSearch } from './fold.ts';
import {
  KNOWN_LETTERS,
  knownWord,
  partsOf,
  searchedPieces,
  signWord,
  stemOf,
  type TextPart,
  visitParts,
} from './search-words.ts';

/**
 * A parsed search. The content or topic of a message must contain each word, that is, a word with the same stem or
 * prefix. For a run of letters without spaces, it must contain a substring. It must also contain each phrase literally.
 */
export interface Search {
  readonly words: readonly SearchWord[];
  /** Folded. */
  readonly phrases: readonly string[];
}

export type SearchWord = Pick<TextPart, 'kind' | 'text'>;

/** Minimum length for a prefix match. Shorter prefixes would match nearly everything. */
const MIN_PREFIX_LETTERS = 3;

/** Words per phrase that are looked up in the index. The literal comparison does the rest. */
const MAX_WORDS_PER_PHRASE = 5;

/** Very frequent words. Ignored if the search contains other words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all am an and any are as at be been before being both but by can did do does doing down each ' +
    'few for from had has have having he her here hers him his how i if in into is it its just me more most my no nor ' +
    'not now of off on once only or other our ours out over own same she should so such than that the their ' +
    'theirs them then there these they this those through to too under until up very was we were what when where ' +
    'which while who whom why will with you your yours'
  ).split(' '),
);

export function itemsOf(search: string): string[] {
  return search.match(/"[^"]+"|\S+/g) ?? [];
}

/** Parses words, and phrases in quotation marks. A search without words finds nothing. */
export function readSearch(search: string): Search {
  const words: SearchWord[] = [];
  const ofPhrases: SearchWord[] = [];
  const phrases: string[] = [];
  for (const item of itemsOf(search)) {
    const isPhrase = /^".+"$/s.test(item);
    const folded = foldSearch(isPhrase ? item.slice(1, -1) : item);
    const parts = partsOf(folded).map(({ kind, text }): SearchWord => ({ kind, text }));
    if (!isPhrase) words.push(...parts);
    else if (folded.trim() !== '') {
      phrases.push(folded);
      ofPhrases.push(...longest(parts));
    }
  }
  const telling = words.filter(({ text }) => !STOP_WORDS.has(text));
  const kept = telling.length + ofPhrases.length > 0 ? telling : words;
  return { words: distinct([...kept, ...ofPhrases]), phrases: [...new Set(phrases)] };
}

export function joinSearches(searches: readonly Search[]): Search {
  return {
    words: distinct(searches.flatMap(({ words }) => words)),
    phrases: [...new Set(searches.flatMap(({ phrases }) => phrases))],
  };
}

export function findsNothing({ words }: Search): boolean {
  return words.length === 0;
}

export function matchesSearch({ words, phrases }: Search, content: string, topic: string): boolean {
  if (words.length === 0) return false;
  const texts = [readText(content), readText(topic)];
  if (!phrases.every((phrase) => texts.some(({ folded }) => folded.includes(phrase)))) return false;
  return words.every((word) => texts.some(({ parts }) => parts.some((part) => meets(word, part))));
}

interface ReadText {
  folded: string;
  parts: readonly TextPart[];
}

/** Cache of the latest texts: one message is compared with the searches of many queues. */
const lastRead = new Map<string, ReadText>();

function readText(text: string): ReadText {
  let read = lastRead.get(text);
  if (!read) {
    const folded = foldSearch(text);
    read = { folded, parts: partsOf(folded) };
    if (lastRead.size >= 2) lastRead.clear();
    lastRead.set(text, read);
  }
  return read;
}

function meets(word: SearchWord, part: TextPart): boolean {
  if (word.kind !== part.kind) return false;
  if (word.kind === 'sign') return word.text === part.text;
  if (word.kind === 'run') return part.text.includes(word.text);
  return beginsWith(part.text, word.text) || stemOf(part.text) === stemOf(word.text);
}

/** Short words must match completely. */
function beginsWith(text: string, word: string): boolean {
  if (text === word) return true;
  return word.length >= MIN_PREFIX_LETTERS && text.startsWith(word);
}

/** The ranges of hits in a folded text, in no particular order. */
export function hitsIn({ words, phrases }: Search, folded: string): (readonly [from: number, to: number])[] {
  const hits: (readonly [number, number])[] = [];
  const literal = [...phrases, ...words.filter(({ kind }) => kind !== 'word').map(({ text }) => text)];
  for (const text of literal) {
    for (let at = folded.indexOf(text); at !== -1; at = folded.indexOf(text, at + text.length))
      hits.push([at, at + text.length]);
  }
  const plainWords = words.filter(
    ({ kind, text }) => kind === 'word' && !phrases.some((phrase) => phrase.includes(text)),
  );
  if (plainWords.length === 0) return hits;
  visitParts(folded, (kind, from, to) => {
    if (kind !== 'word') return;
    const text = folded.slice(from, to);
    for (const word of plainWords) {
      if (beginsWith(text, word.text)) hits.push([from, from + word.text.length]);
      else if (stemOf(text) === stemOf(word.text)) hits.push([from, to]);
    }
  });
  return hits;
}

function longest(parts: readonly SearchWord[]): SearchWord[] {
  return distinct(parts)
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, MAX_WORDS_PER_PHRASE);
}

function distinct(words: readonly SearchWord[]): SearchWord[] {
  return [...new Map(words.map((word) => [`${word.kind} ${word.text}`, word])).values()];
}

/**
 * The lookup of a word in the index: one of the words in `exactly`, all words in `all`, or a word that starts with
 * `opening`. If `literal` is set, the text must also contain it: it is longer than the index words.
 */
interface IndexLookup {
  readonly exactly?: readonly string[];
  readonly all?: readonly string[];
  readonly opening?: string;
  readonly literal?: string;
}

export function indexLookupOf({ kind, text }: SearchWord): IndexLookup {
  if (kind === 'sign') return { exactly: [signWord(text)] };
  if (kind === 'run') return { all: searchedPieces(text), ...([...text].length > 2 ? { literal: text } : {}) };
  if (text.length >= KNOWN_LETTERS) {
    const exactly = [knownWord(text)];
    return text.length > KNOWN_LETTERS ? { exactly, literal: text } : { exactly: [...exactly, ...stemmed(text)] };
  }
  const exactly = withoutImplied([`w${text}`, ...stemmed(text)]);
  return text.length >= MIN_PREFIX_LETTERS ? { exactly, opening: `w${text}` } : { exactly };
}

/** Removes duplicates and words whose stem is also in the list, because every text with the word has the stem too. */
export function withoutImplied(words: readonly string[]): string[] {
  const all = new Set(words);
  const isImplied = (word: string) => {
    const text = word.slice(1);
    // A word of the maximum length may be the prefix of a longer word, which is its own stem.
    if (!word.startsWith('w') || text.length >= KNOWN_LETTERS) return false;
    const stem = stemOf(text);
    return stem !== text && all.has(`s${stem}`);
  };
  return [...all].filter((word) => !isImplied(word));
}

/** Index words of the stem. A word that is its own stem is in the index only with the prefix `w`. */
function stemmed(word: string): string[] {
  const stem = stemOf(word);
  return [`s${stem}`, ...(stem !== word && stemOf(stem) === stem ? [`w${stem}`] : [])];
}
