import type { Block } from './block.ts';
import { fenceLine } from './fence-line.ts';
import type { Lines } from './lines.ts';

/** Where a text stands, for the rules that ask, and the way to read the text within a block. */
export interface BlockContext {
  /** Blocks fenced by backticks are recognized: not inside lists and quotes marked by `>`. */
  allowsFences: boolean;
  depth: number;
  defaultLanguage: string | undefined;
  parse(text: string, context: BlockContext): Block[];
}

/**
 * Reads the block that begins at a line; undefined when it is none of this kind. Asked silently, it
 * only says whether it would, and may leave the blocks out.
 */
export type BlockRule = (
  lines: Lines,
  start: number,
  context: BlockContext,
  silent: boolean,
) => { next: number; blocks: Block[] } | undefined;

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The line begins a block that ends lists and quotes as well as paragraphs. */
export function endsBlocks(line: string, context: BlockContext): boolean {
  return isHeading(line) || isRule(line) || (context.allowsFences && fenceLine(line) !== undefined);
}

export function isHeading(line: string): boolean {
  return line.startsWith('#') && /^#{1,6}[ \t]+\S/.test(line);
}

export function isRule(line: string): boolean {
  return /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/.test(line);
}
