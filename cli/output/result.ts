import { cell } from './cells.ts';
import { details } from './details.ts';
import { jsonText } from './json.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

type Row = Record<string, unknown>;

/** The answer as the wire has it, for programs. */
export function showJson(result: object, terminal: Terminal): void {
  const text = jsonText(result, terminal);
  // A filter may leave nothing.
  if (text !== '') terminal.out(text);
}

/** A field of a list, under its title. */
export type Column<F extends string = string> = F | readonly [field: F, title: string];

/** Which fields of a list people want to see, by the name under which an answer carries the list. */
export type Columns = Readonly<Record<string, readonly Column[]>>;

export interface Formatting {
  /** Gives nothing where it can say no more than the fields of the answer do. */
  formatter?: ((fields: Row) => string | undefined | Promise<string | undefined>) | undefined;
  columns: Columns;
  /** Said where there is nothing to show. */
  empty?: () => string | undefined | Promise<string>;
}

/** Shows people what an operation answered: in the sentence it has for that, else by field. */
export async function showResult(
  result: object,
  { formatter, columns, empty }: Formatting,
  terminal: Terminal,
): Promise<void> {
  const { ignored_parameters_unsupported: ignored, ...fields } = result as Row;
  if (Array.isArray(ignored)) terminal.err(`chatctl: the server does not know ${ignored.join(', ')} and ignored it.`);
  const text = (await formatter?.(fields)) ?? formatResult(fields, columns, terminal);
  if (text !== '') terminal.out(text);
  // Not with the rows, which a program may count.
  else terminal.err((await empty?.()) ?? (Object.keys(fields).length === 0 ? 'Done.' : 'None.'));
}

/** Empty when there is nothing to show. */
export function formatResult(fields: Row, columns: Columns, terminal: Terminal): string {
  const names = Object.keys(fields);
  const isKnownList = (name: string) => Object.hasOwn(columns, name);
  // A list that comes as a map by ID is a list all the same.
  for (const name of names) {
    const map = fields[name];
    if (isKnownList(name) && isObject(map)) return formatList(Object.values(map) as Row[], columns[name], terminal);
  }
  const lists = names.filter(
    (name) => isRows(fields[name]) && (isKnownList(name) || (fields[name] as Row[]).length > 0),
  );
  // An answer with a list is about the list; the rest of it is for programs.
  const [list] = lists;
  if (list !== undefined && lists.length === 1) return formatList(fields[list] as Row[], columns[list], terminal);
  const [only] = names;
  if (names.length === 1 && only !== undefined && isObject(fields[only])) return details(fields[only], terminal);
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

const ENOUGH = 6;

/** Where nobody chose any, the first few fields that fit into a cell. */
function columnsOf(rows: readonly Row[], chosen: readonly Column[] = []): (readonly [field: string, title: string])[] {
  const present = chosen
    .map((column) => (typeof column === 'string' ? ([column, titleOf(column)] as const) : column))
    .filter(([field]) => rows.some((row) => row[field] !== undefined));
  if (present.length > 0) return present;
  const fits = (field: string) => rows.every((row) => typeof row[field] !== 'object' || row[field] === null);
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(fits).slice(0, ENOUGH);
  return fields.map((field) => [field, titleOf(field)] as const);
}

/** Titles of fields that several lists have. */
const TITLES: Readonly<Record<string, string>> = {
  user_id: 'ID',
  stream_id: 'ID',
  id: 'ID',
  full_name: 'NAME',
  delivery_email: 'E-MAIL',
  email: 'E-MAIL',
  is_bot: 'BOT',
  is_active: 'ACTIVE',
  is_archived: 'ARCHIVED',
  is_muted: 'MUTED',
  pin_to_top: 'PINNED',
  invite_only: 'PRIVATE',
  subscriber_count: 'SUBSCRIBERS',
  timestamp: 'WHEN',
  pygments_language: 'LANGUAGE',
};

const titleOf = (field: string) => TITLES[field] ?? field.replaceAll('_', ' ').toUpperCase();

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isObject);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
