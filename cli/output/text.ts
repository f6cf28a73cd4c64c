import { Help } from 'commander';
import stringWidth from 'string-width';
import { counted, isRecord, present, roleName } from '../../lib/internal.ts';
import type { Terminal } from './terminal.ts';

export { counted };

const GAP = '  ';
const MIN_COLUMN_WIDTH = 8;

/** On a terminal, cuts the widest columns. If they become too narrow, prints one cell a line, uncut. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const widths = titles.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  if (terminal.columns !== undefined && !narrow(widths, terminal.columns)) return records(titles, rows, terminal);
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => pad(cut(cells[column] ?? '', width), width))
      .join(GAP)
      .trimEnd();
  return [terminal.style('bold', line(titles)), ...rows.map(line)].join('\n');
}

/** Prints rows with these columns: a title, and a field or the text for it. Empty if there are no rows. */
export function tableOf<R extends object>(
  rows: readonly R[],
  terminal: Terminal,
  columns: Readonly<Record<string, (keyof R & string) | ((row: R) => unknown)>>,
): string {
  if (rows.length === 0) return '';
  const cellOf = (row: R, column: (typeof columns)[string]) => {
    if (typeof column === 'string') return cell(column, row[column]);
    const value = column(row);
    return typeof value === 'string' ? oneLine(value) : cell('', value);
  };
  const cells = rows.map((row) => Object.values(columns).map((column) => cellOf(row, column)));
  return table(Object.keys(columns), cells, terminal);
}

function narrow(widths: number[], columns: number): boolean {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - columns;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = present(widths[widest]);
    if (width <= MIN_COLUMN_WIDTH) return false;
    widths[widest] = width - 1;
    excess--;
  }
  return true;
}

/** Lines `TITLE: cell` for each row, without empty cells, and a blank line between rows. */
function records(titles: readonly string[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const width = Math.max(...titles.map(widthOf)) + 1;
  const line = (title: string, cell: string) => {
    if (cell === '') return [];
    return title === '' ? [cell] : [`${terminal.style('bold', pad(`${title}:`, width))} ${cell}`];
  };
  return rows.map((row) => titles.flatMap((title, column) => line(title, row[column] ?? '')).join('\n')).join('\n\n');
}

/** Local time, `2030-01-31T09:00`. Not by a locale: Node can be built with English alone. */
function local(seconds: number): string {
  const milliseconds = seconds * 1000;
  const shifted = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return Number.isNaN(shifted.getTime()) ? String(seconds) : shifted.toISOString();
}

/** Local time, `2030-01-31 09:00`. */
export const moment = (seconds: number): string => local(seconds).slice(0, 16).replace('T', ' ');

function momentOf(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? oneLine(text) : moment(milliseconds / 1000);
}

/** `Thu 2030-01-31`, by local time. */
export const day = (seconds: number): string =>
  `${new Date(seconds * 1000).toLocaleDateString('en', { weekday: 'short' })} ${local(seconds).slice(0, 10)}`;

/** `09:00`, local time. */
export const timeOfDay = (seconds: number): string => local(seconds).slice(11, 16);

const TIME_FIELD = /^(invited|(.+_)?(timestamp|date|date_created|create_time|last_updated))$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const MAX_LISTED_NAMES = 5;

/** The value of a field on one line, for people. */
export function cell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (name === 'role' || name === 'invited_as') return roleName(value);
    return TIME_FIELD.test(name) ? moment(value) : String(value);
  }
  if (typeof value === 'string') return ISO_TIME.test(value) ? momentOf(value) : oneLine(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map((each) => cell(name, each)).join(', ');
  return Array.isArray(value) ? listed(value) : oneLine(objectText(value as Row));
}

type Row = Readonly<Record<string, unknown>>;

function listed(list: readonly unknown[]): string {
  const names = list.flatMap((each) => nameOf(each) ?? []);
  if (names.length < list.length) return counted(list.length, 'entry', 'entries');
  const more = names.length > MAX_LISTED_NAMES ? `, and ${names.length - MAX_LISTED_NAMES} more` : '';
  return oneLine(`${names.slice(0, MAX_LISTED_NAMES).join(', ')}${more}`);
}

/** The field of a record that names it. */
export function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { full_name, name, email, title, content } = value;
  return [full_name, name, email, title, content].find((text): text is string => typeof text === 'string');
}

/** An object of flags as the flags that are set, a small object as its fields, a large object as a list. */
function objectText(object: Row): string {
  const entries = Object.entries(object);
  const values = Object.values(object);
  if (values.length > 0 && values.every((each) => typeof each === 'boolean'))
    return entries.flatMap(([key, isChosen]) => (isChosen ? key : [])).join(', ') || 'none';
  const isSmall =
    values.length <= MAX_LISTED_NAMES && values.every((each) => typeof each !== 'object' || each === null);
  return isSmall ? entries.map(([key, each]) => `${key} ${cell(key, each)}`.trim()).join(', ') : listed(values);
}

/** `key: value`, one field a line. */
export function details(object: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const names = Object.keys(object);
  const width = Math.max(0, ...names.map((name) => widthOf(name))) + 1;
  return names
    .map((name) => `${terminal.style('bold', pad(`${name}:`, width))} ${cell(name, object[name])}`.trimEnd())
    .join('\n');
}

/** Replaces control characters and direction overrides, which could disguise text from other users. */
export function sanitize(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replaceAll('\t', '    ');
}

export function oneLine(text: string): string {
  return sanitize(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim();
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells of a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

export function cut(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > cells - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const pad = (text: string, cells: number): string => text + ' '.repeat(Math.max(0, cells - widthOf(text)));

const wrapping = Object.assign(new Help(), { displayWidth: widthOf, minWidthToWrap: 1 });

/** Breaks lines at spaces. Words that are too long are not broken, so that URLs stay whole. */
export const wrap = (text: string, cells: number): string[] => wrapping.boxWrap(text, cells).split('\n');
