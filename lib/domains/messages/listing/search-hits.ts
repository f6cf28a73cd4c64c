import { foldSearch } from '../../../rules/fold.ts';
import { hitsIn, type Search } from '../../../rules/search.ts';

/** A tag, or a character that is written as an entity. */
const TAG_OR_ENTITY = /<(?:"[^"]*"|[^<>"])*>|&(?:#\d+|#x[\da-f]+|[a-z]+);/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': '\u00a0',
};
const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/** Characters of marked HTML in one answer; a mark may be thirty times as long as the letter it is around. */
const MAX_MARKED = 4_000_000;

/** What was searched for, marked in the texts of one answer; texts beyond the limit stay as they are. */
export class SearchHits {
  readonly #search: Search;
  #left = MAX_MARKED;

  constructor(search: Search) {
    this.#search = search;
  }

  /**
   * Only tags of ours come in, and only between characters, so what was escaped stays so; a hit that runs
   * across tags is marked in parts.
   */
  mark(html: string): string {
    if (this.#left <= 0) return html;
    const marked = markHits(html, this.#search);
    this.#left -= marked.length;
    return marked;
  }
}

function markHits(html: string, search: Search): string {
  const { text, starts, ends } = readText(html);
  const isHit = new Uint8Array(text.length);
  for (const [from, to] of hitsIn(search, text)) isHit.fill(1, from, to);
  let marked = '';
  let done = 0;
  for (let at = isHit.indexOf(1); at !== -1; ) {
    const start = starts[at] as number;
    let end: number;
    do {
      end = ends[at] as number;
      at = isHit.indexOf(1, at + 1);
      // A tag in between ends the mark.
    } while (at !== -1 && (starts[at] as number) <= end);
    marked += html.slice(done, start) + OPEN + html.slice(start, end) + CLOSE;
    done = end;
  }
  return marked + html.slice(done);
}

/** The text as it is searched, and where in the HTML each of its letters stands. */
interface ReadText {
  text: string;
  starts: number[];
  ends: number[];
}

function readText(html: string): ReadText {
  const read: ReadText = { text: '', starts: [], ends: [] };
  let from = 0;
  for (const { 0: piece, index } of html.matchAll(TAG_OR_ENTITY)) {
    readRun(read, html.slice(from, index), from);
    from = index + piece.length;
    if (!piece.startsWith('<')) readLetter(read, ENTITIES[piece.toLowerCase()] ?? piece, index, from);
  }
  readRun(read, html.slice(from), from);
  return read;
}

/** Text without tags and entities. */
function readRun(read: ReadText, run: string, from: number): void {
  const folded = foldSearch(run);
  if (folded.length === run.length) {
    read.text += folded;
    for (let at = from; at < from + run.length; at++) {
      read.starts.push(at);
      read.ends.push(at + 1);
    }
    return;
  }
  // Folding has made two letters of one.
  let at = from;
  for (const letter of run) {
    readLetter(read, letter, at, at + letter.length);
    at += letter.length;
  }
}

function readLetter(read: ReadText, letter: string, start: number, end: number): void {
  const folded = foldSearch(letter);
  read.text += folded;
  for (let unit = 0; unit < folded.length; unit++) {
    read.starts.push(start);
    read.ends.push(end);
  }
}
