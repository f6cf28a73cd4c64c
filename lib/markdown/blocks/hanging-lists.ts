import { fenceLine } from './fence-line.ts';

const ANY_LIST_ITEM = /^ *(?:[*+-]|\d\.) +/m;
const LIST_ITEM = /^ *([*+-]|\d\.) +/;

/**
 * A list may follow a paragraph, or a list of the other kind, without an empty line between; the rules
 * for blocks expect one, so it is put in here. Code is left as it is.
 */
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
  const found = fenceLine(line);
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
