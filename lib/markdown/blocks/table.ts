import type MarkdownIt from 'markdown-it';
import type { Block, Cell } from './block.ts';

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>;

/** The table whose tokens begin at `start`, and where they end. */
export function readTable(tokens: Tokens, start: number): { block: Block; end: number } {
  const lines: Cell[][] = [];
  let end = start;
  for (; end < tokens.length && tokens[end]?.type !== 'table_close'; end += 1) {
    const token = tokens[end];
    if (token?.type === 'tr_open') lines.push([]);
    else if (token?.type === 'th_open' || token?.type === 'td_open') {
      const align = String(token.attrGet('style') ?? '').replace('text-align:', '') || undefined;
      lines.at(-1)?.push({ text: tokens[end + 1]?.content ?? '', align });
    }
  }
  const [header = [], ...rows] = lines;
  // A table without rows is shown with an empty one.
  if (rows.length === 0) rows.push(header.map((cell) => ({ text: '', align: cell.align })));
  return { block: { type: 'table', header, rows }, end };
}
