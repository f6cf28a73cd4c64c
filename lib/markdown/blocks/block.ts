/** A message as a tree of blocks; `text` is Markdown whose inline syntax is still to be read. */
export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'heading'; level: number; text: string }
  | { type: 'rule' }
  | { type: 'code'; text: string; language: string | undefined }
  | { type: 'formula'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'spoiler'; header: Block[]; blocks: Block[] }
  | { type: 'list'; start: number | undefined; items: ListItem[] }
  | { type: 'table'; header: Cell[]; rows: Cell[][] };

export interface ListItem {
  /** Next to an empty line: its text is put in paragraphs. */
  isLoose: boolean;
  blocks: Block[];
}

export interface Cell {
  text: string;
  align: Alignment | undefined;
}

export type Alignment = 'left' | 'center' | 'right';

/** Containers nested deeper than this are not parsed: their text stays text. */
export const MAX_DEPTH = 24;

/** What the block rules know of the container whose content they read, and how to parse a container within. */
export interface BlockContext {
  /** Fenced blocks are recognized: not inside lists and quotes marked by `>`. */
  allowsFences: boolean;
  /** Containers around the text: 0 for the message itself. */
  depth: number;
  defaultLanguage: string | undefined;
  parse(text: string, context: BlockContext): Block[];
}

/** Parses the block at the line `start`. `next` is the line after it. A fence closed at once has no block. */
export type BlockRule = (
  lines: Lines,
  start: number,
  context: BlockContext,
) => { next: number; block: Block | undefined } | undefined;

/** A text by lines; beyond its end they are empty. */
export class Lines {
  readonly length: number;
  private readonly lines: readonly string[];

  constructor(text: string) {
    this.lines = text.split('\n');
    this.length = this.lines.length;
  }

  at(index: number): string {
    return this.lines[index] ?? '';
  }

  slice(start: number, end: number): string[] {
    return this.lines.slice(start, end);
  }
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** By four spaces or more, which makes a line code; tabs have become spaces before. */
export function isIndented(line: string): boolean {
  return line.startsWith('    ');
}

/**
 * Returns the source as the parsers expect it:
 *
 * - Lines end in a newline. Lines of spaces are empty.
 * - Tabs become spaces up to the next multiple of four columns (in code points).
 * - Lone surrogates and NUL become U+FFFD.
 * - The characters of placeholders are removed.
 */
export function normalizeSource(content: string): string {
  let source = content;
  if (/[\r\u0000\u0002\u0003]/.test(source)) {
    source = source
      .replace(/\r\n?/g, '\n')
      .replace(/\u0000/g, '\ufffd')
      .replace(/[\u0002\u0003]/g, '');
  }
  if (/[\ud800-\udfff]/.test(source)) source = source.replace(/\p{Surrogate}/gu, '\ufffd');
  if (source.includes('\t')) source = source.split('\n').map(expandTabs).join('\n');
  if (source.includes(' ')) source = source.replace(/^ +$/gm, '');
  return source;
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  let column = 0;
  for (const character of line) {
    const width = character === '\t' ? 4 - (column % 4) : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return expanded;
}
