import { Lines } from './blocks/block.ts';
import { closingLine, holdsMarkdown, openingFence } from './blocks/fence.ts';

/** The text to search for alert words: without fenced code and formulas, in lower case. */
export function alertText(content: string): string {
  const lines = new Lines(content);
  const searched: string[] = [];
  const open: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.at(index);
    const closes = open.length > 0 && line.trimEnd() === open.at(-1);
    const opening = closes ? undefined : openingFence(line);
    if (closes) open.pop();
    else if (!opening) searched.push(line);
    else if (holdsMarkdown(opening.language)) open.push(opening.fence);
    else index = closingLine(lines, index, opening);
  }
  return searched.join('\n').toLowerCase();
}
