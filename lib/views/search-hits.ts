import { foldSearch } from '../rules/fold.ts';

/** A tag, or one character of text as it stands in the HTML. */
const PIECE = /<(?:"[^"]*"|[^<>"])*>|&(?:#\d+|#x[\da-f]+|[a-z]+);|[\s\S]/giu;
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

/**
 * HTML with what was searched for marked in its text. Only tags of ours come in, and only between
 * characters, so what was escaped stays so; a hit that runs across tags is marked in parts.
 */
export function markHits(html: string, words: readonly string[]): string {
  const pieces = html.match(PIECE) ?? [];
  const isHit = hitsAmong(pieces, words);
  let marked = '';
  let inside = false;
  for (const [at, piece] of pieces.entries()) {
    if (isHit[at] !== inside) {
      inside = isHit[at] === true;
      marked += inside ? OPEN : CLOSE;
    }
    marked += piece;
  }
  return inside ? marked + CLOSE : marked;
}

function hitsAmong(pieces: readonly string[], words: readonly string[]): boolean[] {
  let text = '';
  // Folding may make two letters of one: to which piece each letter of the text belongs.
  const owners: number[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (isTag(piece)) continue;
    const folded = foldSearch(ENTITIES[piece.toLowerCase()] ?? piece);
    text += folded;
    for (let unit = 0; unit < folded.length; unit++) owners.push(at);
  }
  const isHit = pieces.map(() => false);
  for (const word of words) {
    for (let at = text.indexOf(word); at !== -1 && word !== ''; at = text.indexOf(word, at + word.length)) {
      for (const owner of owners.slice(at, at + word.length)) isHit[owner] = true;
    }
  }
  return isHit;
}

function isTag(piece: string): boolean {
  return piece.length > 1 && piece.startsWith('<');
}
