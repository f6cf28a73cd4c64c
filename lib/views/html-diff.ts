import { diffArrays } from 'diff';

/** One piece of HTML: a tag of the frame, or something shown: a word, a space, an element taken as a whole. */
interface Token {
  html: string;
  isTag: boolean;
}

/** How much work all diffs of one answer may take together, in squares of changed tokens. */
export class DiffBudget {
  #left = 2_000_000;

  /** Changed tokens the next diff may have. */
  get reach(): number {
    return Math.min(1_000, Math.floor(Math.sqrt(Math.max(0, this.#left))));
  }

  spend(changes: number): void {
    this.#left -= changes * changes;
  }
}

const TOKEN = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[\p{L}\p{N}_]+|\s+|./giu;
/** Shown as one thing: half a link, mention or formula would mean nothing. */
const WHOLE = /^<(a|span|time|svg|math|audio|video)\b/;
const ALONE = /^<img\b/;

/**
 * What changed between two renderings, as the new one with what is gone set in between. Both are our own
 * output, so tags nest. The frame of the result is the new one's, tag by tag, so it nests as well.
 */
export function htmlDiff(before: string, after: string, budget: DiffBudget): string {
  const old = tokens(before);
  const present = tokens(after);
  const limit = Math.min(old.length, present.length);
  let start = 0;
  while (start < limit && same(old[start], present[start])) start++;
  let end = 0;
  while (end < limit - start && same(old[old.length - 1 - end], present[present.length - 1 - end])) end++;

  const pieces: string[] = [];
  emit(pieces, present.slice(0, start), undefined);
  const changes = compare(old.slice(start, old.length - end), present.slice(start, present.length - end), budget);
  for (const { kind, value } of changes) emit(pieces, value, kind);
  emit(pieces, present.slice(present.length - end), undefined);
  return `<div>${pieces.join('')}</div>`;
}

type Change = { kind: 'inserted' | 'deleted' | undefined; value: Token[] };

function compare(old: Token[], present: Token[], budget: DiffBudget): Change[] {
  const everything: Change[] = [
    { kind: 'deleted', value: old },
    { kind: 'inserted', value: present },
  ];
  if (old.length === 0 || present.length === 0) return everything;
  const reach = budget.reach;
  const found = diffArrays(old, present, { comparator: same, maxEditLength: reach });
  if (!found) {
    budget.spend(reach);
    return everything;
  }
  budget.spend(found.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0));
  return found.map(({ added, removed, value }) => ({
    kind: added ? 'inserted' : removed ? 'deleted' : undefined,
    value,
  }));
}

function same(one: Token | undefined, other: Token | undefined): boolean {
  return one?.html === other?.html;
}

/** Highlights what is shown, up to the next tag; tags that are gone are left out. */
function emit(pieces: string[], tokens: readonly Token[], kind: Change['kind']): void {
  let run = '';
  const finish = () => {
    if (run !== '') pieces.push(kind === undefined ? run : `<span class="highlight_text_${kind}">${run}</span>`);
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
    const part = parts[at] as string;
    const name = WHOLE.exec(part)?.[1];
    if (name === undefined) {
      found.push({ html: part, isTag: part.length > 1 && part.startsWith('<') && !ALONE.test(part) });
      continue;
    }
    const last = endOfElement(parts, at, name);
    found.push({ html: parts.slice(at, last + 1).join(''), isTag: false });
    at = last;
  }
  return found;
}

/** Where the element that begins here ends; elements of the same name may lie within. */
function endOfElement(parts: readonly string[], from: number, name: string): number {
  let depth = 0;
  for (let at = from; at < parts.length; at++) {
    const part = parts[at] as string;
    if (part === `</${name}>`) depth--;
    else if (part.startsWith(`<${name}`) && !/^[\w-]/.test(part.slice(name.length + 1)) && !part.endsWith('/>'))
      depth++;
    if (depth === 0) return at;
  }
  return parts.length - 1;
}
