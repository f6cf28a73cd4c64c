import { foldSearch } from '../../../rules/fold.ts';
import { hitsIn, type Search } from '../../../rules/search.ts';

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
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/** Characters of highlighted HTML per response. A highlight tag can be 30 times as long as its match. */
const MAX_MARKED = 4_000_000;

/** Highlights search matches in the texts of a response. Texts above the limit stay unchanged. */
export function searchHits(search: Search) {
  let left = MAX_MARKED;
  return {
    /** Inserts its tags only between characters, so that escaped text stays escaped. */
    mark(html: string): string {
      if (left <= 0) return html;
      const marked = markHits(html, search);
      left -= marked.length;
      return marked;
    },
  };
}

function markHits(html: string, search: Search): string {
  const { text, pieces } = readText(html);
  const hits = hitsIn(search, text).sort(([a], [b]) => a - b);
  let marked = '';
  let done = 0;
  let start = 0;
  let end = 0;
  const close = () => {
    if (end > start) marked += html.slice(done, start) + OPEN + html.slice(start, end) + CLOSE;
    done = Math.max(done, end);
  };
  let first = 0;
  for (const [from, to] of hits) {
    while (first < pieces.length && (pieces[first] as Piece).to <= from) first++;
    for (let at = first; at < pieces.length && (pieces[at] as Piece).from < to; at++) {
      const piece = pieces[at] as Piece;
      const begins = piece.isWhole ? piece.start : piece.start + Math.max(0, from - piece.from);
      const ends = piece.isWhole ? piece.end : piece.end - Math.max(0, piece.to - to);
      // A tag in between ends the highlight.
      if (begins > end) {
        close();
        start = begins;
      }
      end = Math.max(end, ends);
    }
  }
  close();
  return marked + html.slice(done);
}

/** A range of the text (`from`, `to`) and its range in the HTML (`start`, `end`). */
interface Piece {
  from: number;
  to: number;
  start: number;
  end: number;
  /** Must not be split, for example an entity. */
  isWhole: boolean;
}

/** The folded text to search, and its position in the HTML. */
function readText(html: string): { text: string; pieces: Piece[] } {
  let text = '';
  const pieces: Piece[] = [];
  const add = (folded: string, start: number, end: number, { isWhole = false } = {}) => {
    pieces.push({ from: text.length, to: text.length + folded.length, start, end, isWhole });
    text += folded;
  };
  const addRun = (start: number, end: number) => {
    const run = html.slice(start, end);
    const folded = foldSearch(run);
    if (folded.length === run.length) {
      if (run !== '') add(folded, start, end);
      return;
    }
    // Folding has changed the length, so map each letter with its accents.
    for (const { segment, index } of LETTERS.segment(run))
      add(foldSearch(segment), start + index, start + index + segment.length, { isWhole: true });
  };
  let from = 0;
  for (const { 0: piece, index } of html.matchAll(TAG_OR_ENTITY)) {
    addRun(from, index);
    from = index + piece.length;
    if (!piece.startsWith('<')) add(foldSearch(ENTITIES[piece.toLowerCase()] ?? piece), index, from, { isWhole: true });
  }
  addRun(from, html.length);
  return { text, pieces };
}
