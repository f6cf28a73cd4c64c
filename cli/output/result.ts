import type { DryRun } from '../../lib/index.ts';
import { isRecord } from '../../lib/internal.ts';
import { jsonText } from './json.ts';
import type { Terminal } from './terminal.ts';
import { cell, details, table } from './text.ts';

type Row = Record<string, unknown>;

export function showJson(result: object, terminal: Terminal): void {
  const text = jsonText(result, terminal);
  // A jq filter may print nothing.
  if (text !== '') terminal.out(text);
}

export type Column<F extends string = string> = F | readonly [field: F, title: string];

export type Columns = Readonly<Record<string, readonly Column[]>>;

export interface Formatting {
  /** Returns undefined if the fields say it all. */
  formatter?: ((fields: Row, dryRun?: DryRun) => string | undefined | Promise<string | undefined>) | undefined;
  columns: Columns;
  /** The text for an empty result. */
  empty(): Promise<string>;
}

/** Prints a result: as the sentence of the operation, or else by field. */
export async function showResult(
  result: object,
  { formatter, columns, empty }: Formatting,
  terminal: Terminal,
  dryRun?: DryRun,
): Promise<void> {
  const { ignored_parameters_unsupported: ignored, ...fields } = result as Row;
  if (Array.isArray(ignored)) terminal.err(`chatctl: the server does not know ${ignored.join(', ')} and ignored it.`);
  const text = (await formatter?.(fields, dryRun)) ?? formatResult(fields, columns, terminal);
  if (text !== '') terminal.out(text);
  // On stderr, because a program may count the rows on stdout.
  else terminal.err((await empty()) || (Object.keys(fields).length === 0 ? 'Done.' : 'None.'));
}

export function formatResult(fields: Row, columns: Columns, terminal: Terminal): string {
  const names = Object.keys(fields);
  const isKnownList = (name: string) => Object.hasOwn(columns, name);
  // A map by ID counts as a list.
  for (const name of names) {
    const map = fields[name];
    if (isKnownList(name) && isRecord(map)) return formatList(Object.values(map) as Row[], columns[name], terminal);
  }
  const lists = names.filter(
    (name) => isRows(fields[name]) && (isKnownList(name) || (fields[name] as Row[]).length > 0),
  );
  // In a response with one list, the list matters. Other fields are for programs.
  const [list] = lists;
  if (list !== undefined && lists.length === 1) return formatList(fields[list] as Row[], columns[list], terminal);
  const [only] = names;
  if (names.length === 1 && only !== undefined && isRecord(fields[only])) return details(fields[only], terminal);
  return names.length === 0 ? '' : details(fields, terminal);
}

function formatList(rows: readonly Row[], columns: readonly Column[] | undefined, terminal: Terminal): string {
  if (rows.length === 0) return '';
  const shown = columnsOf(rows, columns);
  return table(
    shown.map(([, title]) => title),
    rows.map((row) => shown.map(([field]) => cell(field, row[field]))),
    terminal,
  );
}

const MAX_LISTED_FIELDS = 6;

/** The chosen columns, or else the first few fields that fit into a cell. */
function columnsOf(rows: readonly Row[], chosen: readonly Column[] = []): (readonly [field: string, title: string])[] {
  const present = chosen
    .map((column) => (typeof column === 'string' ? ([column, titleOf(column)] as const) : column))
    .filter(([field]) => rows.some((row) => row[field] !== undefined));
  if (present.length > 0) return present;
  const fits = (field: string) => rows.every((row) => typeof row[field] !== 'object' || row[field] === null);
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(fits).slice(0, MAX_LISTED_FIELDS);
  return fields.map((field) => [field, titleOf(field)] as const);
}

const TITLES: Readonly<Record<string, string>> = {
  user_id: 'ID',
  stream_id: 'ID',
  full_name: 'NAME',
  delivery_email: 'E-MAIL',
  email: 'E-MAIL',
  pin_to_top: 'PINNED',
  invite_only: 'PRIVATE',
  subscriber_count: 'SUBSCRIBERS',
  timestamp: 'WHEN',
  pygments_language: 'LANGUAGE',
};

/** `is_bot` is the column BOT. */
const titleOf = (field: string) => TITLES[field] ?? field.replace(/^is_/, '').replaceAll('_', ' ').toUpperCase();

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRecord);
