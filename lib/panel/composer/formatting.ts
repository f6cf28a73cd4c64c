/** Markdown around a selection. */

/** A change of a text: replaces `from` to `to` by `insert` and then selects a part of the text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: readonly [start: number, end: number];
}

/** What a button or key does to the selection. */
export type Format = 'bold' | 'italic' | 'code' | 'link' | 'quote' | 'list';

const MARKS = { bold: '**', italic: '*', code: '`' } as const;

export function formatted(format: Format, text: string, start: number, end: number): TextChange {
  switch (format) {
    case 'link':
      return linked(text, start, end);
    case 'quote':
      return prefixed(text, { start, end, prefix: '> ' });
    case 'list':
      return prefixed(text, { start, end, prefix: '- ' });
    case 'code':
      return text.slice(start, end).includes('\n') ? fenced(text, start, end) : marked(text, start, end, 'code');
    default:
      return marked(text, start, end, format);
  }
}

/** Puts marks around the selection, or removes them. Without a selection, the caret is between the marks. */
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
  const sign = mark[0];
  let count = 0;
  while (count < 4 && text[start - 1 - count] === sign && text[end + count] === sign) count += 1;
  return mark.length === 2 ? count === 2 || count === 3 : count === 1 || count === 3;
}

/** Several lines become a block of code. */
function fenced(text: string, start: number, end: number): TextChange {
  const selected = text.slice(start, end);
  const before = start > 0 && text[start - 1] !== '\n' ? '\n' : '';
  const after = end < text.length && text[end] !== '\n' ? '\n' : '';
  const insert = `${before}\`\`\`\n${selected}\n\`\`\`${after}`;
  const at = start + before.length + 4;
  return { from: start, to: end, insert, select: [at, at + selected.length] };
}

/** Puts a prefix before all lines of the selection, or removes it if all have it. */
function prefixed(text: string, selection: { start: number; end: number; prefix: string }): TextChange {
  const { start, end, prefix } = selection;
  const from = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isSet = lines.every((line) => line.startsWith(prefix));
  const insert = lines.map((line) => (isSet ? line.slice(prefix.length) : prefix + line)).join('\n');
  const caret = Math.max(from, isSet ? start - prefix.length : start + prefix.length);
  return { from, to, insert, select: start === end ? [caret, caret] : [from, from + insert.length] };
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
