import { startsQuote } from './quote.ts';
import { type BlockRule, endsBlocks, isBlank } from './rule.ts';

/** Everything up to an empty line or a block that may follow a paragraph at once. */
export const paragraph: BlockRule = (lines, start, context) => {
  let next = start + 1;
  while (next < lines.length) {
    const line = lines.at(next);
    if (isBlank(line) || endsBlocks(line, context)) break;
    if (startsQuote(lines, next, context)) break;
    next += 1;
  }
  return { next, blocks: [{ type: 'paragraph', text: lines.slice(start, next).join('\n').trimStart() }] };
};
