import { type Block, type BlockContext, type BlockRule, isBlank, type Lines, type ListItem } from './block.ts';
import { openingFence } from './fence.ts';
import { interrupts } from './heading.ts';

// Matches all spaces at once: otherwise the regex would backtrack over them for lines that do not match.
const BULLET = /^ ?[*+-] +(?! )(.*)$/;
const NUMBER = /^ ?(\d{1,9})\. +(?! )(.*)$/;
/** A list inside an item is indented by two spaces, not by four. */
const NESTED = /^ {2,3}(?:[*+-]|\d{1,9}\.) +/;

/** An item while its lines are collected. Each part is read on its own, so that text and a list within do not mix. */
interface OpenItem {
  parts: string[][];
  holdsList: boolean;
  isLoose: boolean;
}

/** A list is a number of chunks between empty lines; what is indented by two spaces belongs to the last item. */
export const list: BlockRule = (lines, start, context) => {
  const first = lines.at(start);
  const ofKind = BULLET.test(first) ? BULLET : NUMBER;
  if (!ofKind.test(first)) return undefined;
  const items: OpenItem[] = [];
  let next = start;
  while (next < lines.length) {
    const end = endOfChunk(lines, next, context);
    const chunk = lines.slice(next, end);
    if (chunk[0]?.startsWith('  ')) continueItem(items, chunk);
    else addItems(items, chunk, ofKind);
    next = end;
    const following = nextFilled(lines, end);
    if (following === end || following >= lines.length) break;
    const line = lines.at(following);
    if (!line.startsWith('  ') && (!ofKind.test(line) || interrupts(line, context))) break;
    next = following;
  }
  const number = ofKind === NUMBER ? Number(NUMBER.exec(first)?.[1]) : undefined;
  const inner = { ...context, allowsFences: false, depth: context.depth + 1 };
  return { next, block: { type: 'list', start: number, items: items.map((item) => closeItem(item, inner)) } };
};

function addItems(items: OpenItem[], chunk: readonly string[], ofKind: RegExp): void {
  chunk.forEach((line, index) => {
    const last = items.at(-1);
    const match = ofKind.exec(line);
    if (match) {
      const afterEmptyLine = index === 0 && last !== undefined;
      if (afterEmptyLine) last.isLoose = true;
      items.push({ parts: [[match.at(-1) ?? '']], holdsList: false, isLoose: afterEmptyLine });
    } else if (last?.holdsList) {
      last.parts.at(-1)?.push(unindented(line));
    } else if (NESTED.test(line)) {
      last?.parts.push([unindented(line)]);
      if (last) last.holdsList = true;
    } else {
      last?.parts.at(-1)?.push(line);
    }
  });
}

function continueItem(items: readonly OpenItem[], chunk: readonly string[]): void {
  const item = items.at(-1);
  if (!item) return;
  const text = chunk.map(unindented);
  const [first = ''] = text;
  const isItem = BULLET.test(first) || NUMBER.test(first);
  if (item.holdsList && first.startsWith('  ')) {
    item.parts.at(-1)?.push('', ...text);
    return;
  }
  item.isLoose = true;
  if (item.holdsList && isItem) item.parts.at(-1)?.push('', ...text);
  else item.parts.push(text);
  item.holdsList = isItem;
}

function closeItem(item: OpenItem, context: BlockContext): ListItem {
  const blocks: Block[] = [];
  for (const part of item.parts) {
    for (const block of context.parse(part.join('\n'), context)) {
      const last = blocks.at(-1);
      if (
        block.type === 'list' &&
        last?.type === 'list' &&
        (block.start === undefined) === (last.start === undefined)
      ) {
        last.items.push(...block.items);
      } else blocks.push(block);
    }
  }
  return { isLoose: item.isLoose, blocks };
}

function endOfChunk(lines: Lines, start: number, context: BlockContext): number {
  let end = start;
  while (end < lines.length && !isBlank(lines.at(end)) && (end === start || !interrupts(lines.at(end), context)))
    end += 1;
  return end;
}

function nextFilled(lines: Lines, from: number): number {
  let index = from;
  while (index < lines.length && isBlank(lines.at(index))) index += 1;
  return index;
}

function unindented(line: string): string {
  return line.startsWith('  ') ? line.slice(2) : line;
}

const ANY_LIST_ITEM = /^ *(?:[*+-]|\d\.) +/m;
const LIST_ITEM = /^ *([*+-]|\d\.) +/;

/** Adds an empty line before a list that follows a paragraph or a list of the other kind. Code does not change. */
export function separateLists(source: string): string {
  if (!ANY_LIST_ITEM.test(source)) return source;
  const separated: string[] = [];
  const open: { fence: string; isCode: boolean }[] = [];
  let previous: string | undefined;
  for (const line of source.split('\n')) {
    if (previous) {
      followFence(open, previous);
      if (!open.some((block) => block.isCode) && startsList(previous, line)) separated.push('');
    }
    separated.push(line);
    previous = line;
  }
  return separated.join('\n');
}

function followFence(open: { fence: string; isCode: boolean }[], line: string): void {
  const found = openingFence(line);
  if (!found) return;
  if (!found.language && found.fence === open.at(-1)?.fence) open.pop();
  else open.push({ fence: found.fence, isCode: found.language !== 'quote' && found.language !== 'quoted' });
}

function startsList(previous: string, line: string): boolean {
  const marker = LIST_ITEM.exec(line)?.[1];
  if (!marker) return false;
  const before = LIST_ITEM.exec(previous)?.[1];
  return !before || (before.length === 1) !== (marker.length === 1);
}
