import { type BlockContext, type BlockRule, isBlank, type Lines, MAX_DEPTH } from './block.ts';
import { interrupts } from './heading.ts';

const MARKED = /^ {0,3}>/;
const BARE = /^ {0,3}> *$/;

/** Lines marked by `>`, and the lines that follow them without an empty one. */
export const quote: BlockRule = (lines, start, context) => {
  if (!startsQuote(lines, start, context)) return undefined;
  let next = start + 1;
  while (next < lines.length && !isBlank(lines.at(next)) && !interrupts(lines.at(next), context)) next += 1;
  const text = lines.slice(start, next).map(unmarked).join('\n');
  const inner = { ...context, allowsFences: false, depth: context.depth + 1 };
  return { next, block: { type: 'quote', blocks: context.parse(text, inner) } };
};

/** Marks without text after them are text themselves. */
function startsQuote(lines: Lines, start: number, context: BlockContext): boolean {
  if (!MARKED.test(lines.at(start))) return false;
  for (let index = start; index < lines.length; index += 1) {
    const line = lines.at(index);
    if (isBlank(line) || interrupts(line, context)) return false;
    if (!BARE.test(line)) return true;
  }
  return false;
}

function unmarked(line: string): string {
  if (line.trim() === '>') return '';
  const match = BARE.test(line) ? undefined : /^ {0,3}> ?(.*)$/.exec(line);
  return match ? (match[1] ?? '') : line;
}

/**
 * The first line from `from` on that ends a paragraph or a table. This is an empty line, a line that `stops` them, or
 * the beginning of another block, such as a quote. Bare marks begin a quote only if text follows. This is known only
 * after the last mark: calling `startsQuote` at each mark would read a long run again and again. At the greatest depth
 * no blocks are parsed, so none interrupt.
 */
export function interruption(
  lines: Lines,
  from: number,
  context: BlockContext,
  stops: (line: string) => boolean = () => false,
): number {
  const isDeepest = context.depth >= MAX_DEPTH;
  let bare: number | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines.at(index);
    if (isBlank(line)) return index;
    if (isDeepest) {
      if (stops(line)) return index;
      continue;
    }
    if (interrupts(line, context)) return index;
    if (BARE.test(line)) bare ??= index;
    else if (bare !== undefined || MARKED.test(line)) return bare ?? index;
    else if (stops(line)) return index;
  }
  return lines.length;
}
