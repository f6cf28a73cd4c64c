import { diffArrays } from 'diff/lib/diff/array.js';
import { present } from '../../../base/present.ts';

/** A piece of HTML: a tag, or visible content: a word, white space, or an element that must not be split. */
interface Token {
  html: string;
  isTag: boolean;
}

/** Changed tokens per diff. With more changes, the diff shows all old content as deleted and all new as inserted. */
const MAX_CHANGES = 1_000;

/** Comparisons, and characters of HTML. */
export const DIFF_BUDGET = { steps: 4_000_000, characters: 1_000_000 };

const TOKEN = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[\p{L}\p{N}_]+|\s+|./giu;
/** Elements that are compared as a whole. A part of a link, mention or formula has no meaning. */
const WHOLE = /^<(a|span|time|svg|math|audio|video)\b/;
const ALONE = /^<img\b/;

/**
 * A function for the diffs of a response: the new HTML with deleted content inserted and changes highlighted. Both
 * inputs come from our renderer, so their tags nest correctly. The result has exactly the tags of the new HTML, so it
 * nests as well. All diffs share a budget. Above it, a diff first shows everything as replaced, and then highlights
 * nothing.
 */
export function htmlDiffer(budget = { ...DIFF_BUDGET }): (before: string, after: string) => string {
  let last: { html: string; tokens: readonly Token[] } | undefined;
  return (before, after) => {
    const present = tokensWithin(after);
    const old = present && tokensWithin(before);
    if (!old) return `<div>${after}</div>`;
    const limit = Math.min(old.length, present.length);
    let start = 0;
    while (start < limit && isSame(old[start], present[start])) start++;
    let end = 0;
    while (end < limit - start && isSame(old[old.length - 1 - end], present[present.length - 1 - end])) end++;

    const pieces: string[] = [];
    emit(pieces, present.slice(0, start), 'kept');
    const changes = compare(old.slice(start, old.length - end), present.slice(start, present.length - end), budget);
    for (const { kind, value } of changes) emit(pieces, value, kind);
    emit(pieces, present.slice(present.length - end), 'kept');
    return `<div>${pieces.join('')}</div>`;
  };

  /** Undefined if the budget is spent. Keeps the last result: the old text of a diff is the new text of the next. */
  function tokensWithin(html: string): readonly Token[] | undefined {
    if (last?.html === html) return last.tokens;
    budget.characters -= html.length;
    if (budget.characters < 0) return undefined;
    last = { html, tokens: tokens(html) };
    return last.tokens;
  }
}

interface Change {
  kind: 'kept' | 'deleted' | 'inserted';
  value: readonly Token[];
}

function compare(old: Token[], present: Token[], budget: { steps: number }): Change[] {
  const everything: Change[] = [
    { kind: 'deleted', value: old },
    { kind: 'inserted', value: present },
  ];
  if (old.length === 0 || present.length === 0 || budget.steps <= 0) return everything;
  // The steps are about half the square of the changes.
  const maxEditLength = Math.min(MAX_CHANGES, Math.floor(Math.sqrt(2 * budget.steps)));
  const changes = diffArrays(old, present, { comparator: isSame, maxEditLength });
  const changed = changes?.reduce((sum, { added, removed, count }) => (added || removed ? sum + count : sum), 0);
  budget.steps -= (changed ?? maxEditLength) ** 2 / 2 + old.length + present.length;
  if (!changes) return everything;
  return changes.map(({ added, removed, value }) => ({
    kind: removed ? 'deleted' : added ? 'inserted' : 'kept',
    value,
  }));
}

const isSame = (a: Token | undefined, b: Token | undefined) => a?.html === b?.html;

/** Highlights visible content up to the next tag. Leaves out deleted tags. */
function emit(pieces: string[], tokens: readonly Token[], kind: Change['kind']): void {
  let run = '';
  const finish = () => {
    if (run !== '') pieces.push(kind === 'kept' ? run : `<span class="highlight_text_${kind}">${run}</span>`);
    run = '';
  };
  for (const token of tokens) {
    if (!token.isTag) run += token.html;
    else if (kind !== 'deleted') {
      finish();
      pieces.push(token.html);
    }
  }
  finish();
}

function tokens(html: string): Token[] {
  const parts = html.match(TOKEN) ?? [];
  const found: Token[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = present(parts[at]);
    const isTag = part.length > 1 && part.startsWith('<');
    const name = isTag ? WHOLE.exec(part)?.[1] : undefined;
    if (name === undefined) {
      found.push({ html: part, isTag: isTag && !ALONE.test(part) });
      continue;
    }
    const last = endOfElement(parts, at, name);
    found.push({ html: parts.slice(at, last + 1).join(''), isTag: false });
    at = last;
  }
  return found;
}

/** Index of the end tag of the element that starts at `from`. Elements of the same name may nest in it. */
function endOfElement(parts: readonly string[], from: number, name: string): number {
  let depth = 0;
  for (let at = from; at < parts.length; at++) {
    const part = present(parts[at]);
    if (part === `</${name}>`) depth--;
    else if (part.startsWith(`<${name}`) && !/^[\w-]/.test(part.slice(name.length + 1)) && !part.endsWith('/>'))
      depth++;
    if (depth === 0) return at;
  }
  return parts.length - 1;
}
