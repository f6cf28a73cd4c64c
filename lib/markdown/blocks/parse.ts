import { type Block, type BlockContext, type BlockRule, isIndented, Lines, MAX_DEPTH } from './block.ts';
import { fence } from './fence.ts';
import { heading, rule } from './heading.ts';
import { list, separateLists } from './list.ts';
import { interruption, quote } from './quote.ts';
import { table } from './table.ts';

/** A line of a block other than a paragraph begins with one of these. */
const MAY_BEGIN_A_BLOCK = /^[ `~#>|*+\-_0-9:]/m;
/** Unlike a blank line it has no white space but spaces: a no-break space alone is a paragraph. */
const EMPTY = /^ *$/;

const indentedCode: BlockRule = (lines, start) => {
  if (!isIndented(lines.at(start))) return undefined;
  let next = start + 1;
  for (let index = next; index < lines.length; index += 1) {
    if (isIndented(lines.at(index))) next = index + 1;
    else if (!EMPTY.test(lines.at(index))) break;
  }
  const text = lines.slice(start, next).map((line) => line.slice(4));
  return { next, block: { type: 'code', text: text.join('\n'), language: undefined } };
};

const RULES: readonly BlockRule[] = [fence, heading, table, rule, list, quote, indentedCode];
/** Those left at the greatest depth. */
const RULES_AT_MAX_DEPTH: readonly BlockRule[] = [table, indentedCode];

/**
 * Parses normalized Markdown into blocks, in linear time. A library cannot be used: CommonMark has other rules for
 * nearly every block. For example, lists here use chunks and two spaces. Fences may quote or hide, and do not occur in
 * lists.
 */
export function parseDocument(source: string, defaultLanguage: string | undefined): Block[] {
  return parseBlocks(separateLists(source), { allowsFences: true, depth: 0, defaultLanguage, parse: parseBlocks });
}

function parseBlocks(text: string, context: BlockContext): Block[] {
  if (!MAY_BEGIN_A_BLOCK.test(text)) return onlyParagraphs(text);
  const lines = new Lines(text);
  const rules = context.depth < MAX_DEPTH ? RULES : RULES_AT_MAX_DEPTH;
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    if (EMPTY.test(lines.at(index))) {
      index += 1;
      continue;
    }
    const { next, block } = firstOf(rules, lines, index, context);
    if (block) blocks.push(block);
    index = next;
  }
  return blocks;
}

function firstOf(rules: readonly BlockRule[], lines: Lines, start: number, context: BlockContext) {
  for (const read of rules) {
    const found = read(lines, start, context);
    if (found) return found;
  }
  return paragraph(lines, start, context);
}

function paragraph(lines: Lines, start: number, context: BlockContext): { next: number; block: Block } {
  const next = interruption(lines, start + 1, context);
  return { next, block: { type: 'paragraph', text: lines.slice(start, next).join('\n').trimStart() } };
}

/** Fast path: most messages contain only paragraphs. */
function onlyParagraphs(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n+|\n+$/g, ''))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ type: 'paragraph', text: paragraph }));
}
