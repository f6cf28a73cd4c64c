import MarkdownIt from 'markdown-it';
import type { Block } from './block.ts';
import { fence } from './fence.ts';
import { heading, rule } from './heading.ts';
import { Lines } from './lines.ts';
import { list } from './list.ts';
import { paragraph } from './paragraph.ts';
import { quote } from './quote.ts';
import type { BlockContext, BlockRule } from './rule.ts';
import { readTable } from './table.ts';

/** Blocks within blocks beyond this depth stay text. */
const MAX_DEPTH = 24;

/** A line of a block other than a paragraph begins with one of these. */
const MAY_BEGIN_A_BLOCK = /^[ `~#>|*+\-_0-9:]/m;

/** markdown-it walks through the lines and reads tables and indented code; what differs in this dialect is ours. */
const engine = new MarkdownIt();
engine.block.ruler.enableOnly(['table', 'code']);
engine.block.ruler.before('table', 'dialect_fence', wrap(fence), { alt: ['blockquote'] });
engine.block.ruler.before('table', 'dialect_heading', wrap(heading), { alt: ['blockquote'] });
engine.block.ruler.after('table', 'dialect_rule', wrap(rule), { alt: ['blockquote'] });
engine.block.ruler.after('dialect_rule', 'dialect_list', wrap(list));
engine.block.ruler.after('dialect_list', 'dialect_quote', wrap(quote), { alt: ['blockquote'] });
engine.block.ruler.push('dialect_paragraph', wrap(paragraph));

/** The blocks of a message's normalized Markdown. */
export function parseDocument(source: string, defaultLanguage: string | undefined): Block[] {
  return parseBlocks(source, { allowsFences: true, depth: 0, defaultLanguage, parse: parseBlocks });
}

function parseBlocks(text: string, context: BlockContext): Block[] {
  if (!MAY_BEGIN_A_BLOCK.test(text)) return paragraphs(text);
  const tokens: Parameters<typeof engine.block.parse>[3] = [];
  engine.block.parse(text, engine, { context }, tokens);
  const blocks: Block[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type === 'dialect') blocks.push(token.meta as unknown as Block);
    else if (token?.type === 'code_block') {
      blocks.push({ type: 'code', text: token.content.replace(/\n+$/, ''), language: undefined });
    } else if (token?.type === 'table_open') {
      const table = readTable(tokens, index);
      blocks.push(table.block);
      index = table.end;
    }
  }
  return blocks;
}

/** Most of what people write is paragraphs and nothing else; finding that out is cheaper than every rule. */
function paragraphs(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n+|\n+$/g, ''))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ type: 'paragraph', text: paragraph }));
}

function wrap(read: BlockRule): Parameters<typeof engine.block.ruler.push>[1] {
  return (state, startLine, _endLine, silent) => {
    const env = state.env as { context: BlockContext; lines?: Lines };
    const { context } = env;
    if (context.depth >= MAX_DEPTH && read !== paragraph) return false;
    env.lines ??= new Lines(state.src);
    const found = read(env.lines, startLine, context, silent);
    if (!found) return false;
    if (silent) return true;
    state.line = found.next;
    for (const block of found.blocks) state.push('dialect', '', 0).meta = block as never;
    return true;
  };
}
