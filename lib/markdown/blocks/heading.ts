import type { BlockContext, BlockRule } from './block.ts';
import { openingFence } from './fence.ts';

/** `# text`, up to six signs; closing signs are dropped. There are no underlined headings. */
export const heading: BlockRule = (lines, start) => {
  const line = lines.at(start);
  if (!isHeading(line)) return undefined;
  const level = /^#+/.exec(line)?.[0].length ?? 1;
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  return {
    next: start + 1,
    block: { type: 'heading', level, text: line.slice(level, Math.max(level, end)).trim() },
  };
};

/** A thematic break: three or more of `-`, `_` or `*`. */
export const rule: BlockRule = (lines, start) =>
  isRule(lines.at(start)) ? { next: start + 1, block: { type: 'rule' } } : undefined;

/** The line begins a block that may interrupt any other but code: a heading, a rule, a fenced block. */
export function interrupts(line: string, context: BlockContext): boolean {
  return isHeading(line) || isRule(line) || (context.allowsFences && openingFence(line) !== undefined);
}

function isHeading(line: string): boolean {
  return line.startsWith('#') && /^#{1,6}[ \t]+\S/.test(line);
}

function isRule(line: string): boolean {
  return /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/.test(line);
}
