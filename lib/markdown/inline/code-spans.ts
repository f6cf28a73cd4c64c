import { escapeText } from '../html.ts';
import type { InlineRule } from './rule.ts';

/**
 * Code between runs of backticks of the same length, spaces kept. When no other run is as long, the
 * first ones of the run belong to the code. A backslash before a run takes its meaning away.
 */
export const codeSpans: InlineRule = {
  applies: (text) => text.includes('`'),
  apply(text, { placeholders, state }) {
    const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
    const closers = new Closers(runs.map((run) => run.length));
    let result = '';
    let from = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const opening = runs[index];
      const found = opening && closers.after(index, opening.length);
      const closing = found && runs[found.index];
      if (!opening || !closing || isEscaped(text, opening.at) || !state.admits()) continue;
      const code = text.slice(opening.at + closing.length, closing.at);
      result += text.slice(from, opening.at) + placeholders.add(`<code>${escapeText(code)}</code>`);
      from = closing.at + closing.length;
      index = found.index;
    }
    return result + text.slice(from);
  },
};

/** Finds the next run of a length; asked with rising indexes only, so that all questions together are cheap. */
class Closers {
  private readonly byLength = new Map<number, { indexes: number[]; next: number }>();

  constructor(lengths: readonly number[]) {
    lengths.forEach((length, index) => {
      const same = this.byLength.get(length);
      if (same) same.indexes.push(index);
      else this.byLength.set(length, { indexes: [index], next: 0 });
    });
  }

  after(index: number, longest: number): { index: number } | undefined {
    for (let length = longest; length > 0; length -= 1) {
      const same = this.byLength.get(length);
      if (!same) continue;
      while ((same.indexes[same.next] ?? Number.POSITIVE_INFINITY) <= index) same.next += 1;
      const found = same.indexes[same.next];
      if (found !== undefined) return { index: found };
    }
    return undefined;
  }
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}
