import { Lines } from './blocks/block.ts';
import { closingLine, holdsMarkdown, openingFence } from './blocks/fence.ts';

const MAY_STAND_BEFORE = new Set(' \n(".,\';[*`>');
const MAY_STAND_AFTER = new Set(' \n)?:.,\';]!*`"');

/** The text alert words are looked for in: everything but fenced code and formulas, in lower case. */
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

/** Whether the word stands in the text on its own: between spaces, punctuation or the ends. */
export function hasAlertWord(text: string, word: string): boolean {
  const wanted = word.toLowerCase();
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1];
    const after = text[at + wanted.length];
    if ((before === undefined || MAY_STAND_BEFORE.has(before)) && (after === undefined || MAY_STAND_AFTER.has(after))) {
      return true;
    }
  }
  return false;
}
