import type { Lines } from './lines.ts';
import { type BlockContext, type BlockRule, endsBlocks, isBlank } from './rule.ts';

const MARKED = /^ {0,3}>/;
const BARE = /^ {0,3}> *$/;

/** Lines marked by `>`, and the lines that follow them without an empty one. */
export const quote: BlockRule = (lines, start, context, silent) => {
  if (!startsQuote(lines, start, context)) return undefined;
  const next = endOfQuote(lines, start, context);
  if (silent) return { next, blocks: [] };
  const text = lines.slice(start, next).map(unmarked).join('\n');
  const inner = { ...context, allowsFences: false, depth: context.depth + 1 };
  return { next, blocks: [{ type: 'quote', blocks: context.parse(text, inner) }] };
};

/** Marks with nothing behind them are text. */
export function startsQuote(lines: Lines, start: number, context: BlockContext): boolean {
  if (!MARKED.test(lines.at(start))) return false;
  for (let index = start; index < lines.length; index += 1) {
    const line = lines.at(index);
    if (isBlank(line) || endsBlocks(line, context)) return false;
    if (!BARE.test(line)) return true;
  }
  return false;
}

function endOfQuote(lines: Lines, start: number, context: BlockContext): number {
  let next = start + 1;
  while (next < lines.length && !isBlank(lines.at(next)) && !endsBlocks(lines.at(next), context)) next += 1;
  return next;
}

function unmarked(line: string): string {
  if (line.trim() === '>') return '';
  const match = BARE.test(line) ? undefined : /^ {0,3}> ?(.*)$/.exec(line);
  return match ? (match[1] ?? '') : line;
}
