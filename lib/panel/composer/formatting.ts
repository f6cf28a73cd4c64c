/** A change of a text: replaces `from` to `to` by `insert` and then selects a part of the text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: readonly [start: number, end: number];
}

const MARKS = { bold: '**', italic: '*' } as const;

/** Makes the selection bold or italic, or removes the marks. Without a selection, the caret is between the marks. */
export function marked(text: string, start: number, end: number, kind: keyof typeof MARKS): TextChange {
  const mark = MARKS[kind];
  const selected = text.slice(start, end);
  const size = mark.length;
  if (isMarked(text, start, end, mark))
    return { from: start - size, to: end + size, insert: selected, select: [start - size, end - size] };
  if (selected.length > 2 * size && isMarked(text, start + size, end - size, mark))
    return { from: start, to: end, insert: selected.slice(size, -size), select: [start, end - 2 * size] };
  return { from: start, to: end, insert: mark + selected + mark, select: [start + size, end + size] };
}

/** Whether the marks stand around this part, and no more of the same sign. */
function isMarked(text: string, start: number, end: number, mark: string): boolean {
  const before = /\**$/.exec(text.slice(Math.max(0, start - 4), start))?.[0].length ?? 0;
  const after = /^\**/.exec(text.slice(end, end + 4))?.[0].length ?? 0;
  const count = Math.min(before, after);
  return mark.length === 2 ? count === 2 || count === 3 : count === 1 || count === 3;
}

/** Makes the selection a link, and selects its address. With a known address, the caret goes after the link. */
export function linked(text: string, start: number, end: number, url?: string): TextChange {
  const selected = text.slice(start, end);
  const isAddress = url === undefined && /^https?:\/\/\S+$/.test(selected);
  const label = isAddress ? '' : selected;
  const address = url ?? (isAddress ? selected : 'url');
  const insert = `[${label}](${address})`;
  const inLabel = start + 1;
  const inAddress = inLabel + label.length + 2;
  if (isAddress || label === '') return { from: start, to: end, insert, select: [inLabel, inLabel] };
  if (url === undefined) return { from: start, to: end, insert, select: [inAddress, inAddress + address.length] };
  return { from: start, to: end, insert, select: [start + insert.length, start + insert.length] };
}
