import { stemmer } from 'stemmer';
import { foldSearch } from './fold.ts';

/**
 * What a text is found by. A text is split into words, at whatever is neither letter nor digit; scripts that are
 * written without spaces come in runs, which are found by any part of them; signs stand alone.
 */
export interface TextPart {
  readonly kind: 'word' | 'run' | 'sign';
  /** Folded. */
  readonly text: string;
  /** Where it begins in the folded text. */
  readonly at: number;
}

/** Letters of a word that the index knows; whoever asks for more compares the rest. */
export const KNOWN_LETTERS = 24;

const ASCII = /^[\0-\x7f]*$/;
/** Signs that people look for; those of every sentence and of Markdown are passed over. */
const SIGNS = '[%&+=$<|^{}\\\\~]';
const RUN_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'];
const OF_RUN = `(?=[\\p{L}\\p{N}\\p{M}])[${RUN_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
const PARTS = new RegExp(
  `((?:${OF_RUN})+)|((?!${OF_RUN})[\\p{L}\\p{N}](?:(?!${OF_RUN})[\\p{L}\\p{N}\\p{M}])*)|${SIGNS}|(?![\\0-\\x7f])\\p{S}`,
  'gu',
);

const WORD = 1;
const SIGN = 2;
/** What characters of ASCII belong to, by their codes. */
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z0-9]/.test(character) ? WORD : new RegExp(SIGNS).test(character) ? SIGN : 0;
});

/** Visits the parts of a folded text in its order, which makes nothing of those that nobody wants. */
export function visitParts(folded: string, visit: (kind: TextPart['kind'], from: number, to: number) => void): void {
  if (!ASCII.test(folded)) {
    for (const { 0: text, 1: run, 2: word, index } of folded.matchAll(PARTS))
      visit(run ? 'run' : word ? 'word' : 'sign', index, index + text.length);
    return;
  }
  // Most messages, in a fraction of the time.
  for (let at = 0; at < folded.length; at++) {
    const kind = ASCII_KINDS[folded.charCodeAt(at)];
    if (kind === SIGN) visit('sign', at, at + 1);
    if (kind !== WORD) continue;
    const from = at;
    while (at + 1 < folded.length && ASCII_KINDS[folded.charCodeAt(at + 1)] === WORD) at++;
    visit('word', from, at + 1);
  }
}

/** The parts of a folded text, in its order. */
export function partsOf(folded: string): TextPart[] {
  const parts: TextPart[] = [];
  visitParts(folded, (kind, from, to) => parts.push({ kind, text: folded.slice(from, to), at: from }));
  return parts;
}

/**
 * The words under which a text is in the index, each once and with a letter before it that tells its kind, so
 * that what is asked of one kind never meets another: `w` a word as it stands, `s` the stem of a word that is
 * not its own stem, `c` one or two characters of a run, `x` a sign. They consist of letters and digits.
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

/** As many letters of a word as the index keeps, never half of one. */
function firstLetters(word: string): string {
  if (word.length <= KNOWN_LETTERS) return word;
  const cut = word.slice(0, KNOWN_LETTERS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function signWord(sign: string): string {
  return `x${sign.codePointAt(0)?.toString(16)}`;
}

/** The characters of a run and its neighbours in pairs. */
function* runPieces(run: string): Generator<string> {
  let before = '';
  for (const letter of run) {
    yield `c${letter}`;
    if (before) yield `c${before}${letter}`;
    before = letter;
  }
}

/** The pieces that all are in whatever has this run. */
export function soughtPieces(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return [`c${run}`];
  return [...new Set(letters.slice(1).map((letter, at) => `c${letters[at]}${letter}`))];
}

/** Stems met so far: making one takes longer than splitting a message. */
const stems = new Map<string, string>();
const KEPT_STEMS = 20_000;

/** Words of other scripts, short ones and very long ones are their own stems. */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > KNOWN_LETTERS) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]+$/.test(word) ? stemmer(word) : word;
  if (stems.size >= KEPT_STEMS) stems.clear();
  stems.set(word, stem);
  return stem;
}
