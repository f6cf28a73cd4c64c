import { cell } from './cells.ts';
import { columnsOf, columnTitle, isKnownList } from './columns.ts';
import { conversation, isMessage, looksLikeMessages } from './conversation.ts';
import { details } from './details.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

type Row = Record<string, unknown>;

/** The answer as the wire has it, for programs. */
export function showJson(result: object, terminal: Terminal): void {
  terminal.out(JSON.stringify(result, null, terminal.isTerminal ? 2 : undefined));
}

/** Shows people what an operation answered: as it is told where somebody tells it, else by field. */
export async function showResult(
  result: object,
  tell: (fields: Row) => string | undefined | Promise<string | undefined>,
  terminal: Terminal,
): Promise<void> {
  const { ignored_parameters_unsupported: ignored, ...fields } = result as Row;
  if (Array.isArray(ignored)) terminal.err(`chatctl: the server does not know ${ignored.join(', ')} and ignored it.`);
  const text = (await tell(fields)) ?? resultText(fields, terminal);
  if (text !== '') terminal.out(text);
  else if (terminal.errIsTerminal) terminal.err(Object.keys(fields).length === 0 ? 'Done.' : 'None.');
}

/** Empty when there is nothing to show. */
export function resultText(fields: Row, terminal: Terminal): string {
  const names = Object.keys(fields);
  // A list that comes as a map by ID is a list all the same.
  for (const name of names) {
    const map = fields[name];
    if (isKnownList(name) && isObject(map)) return listText(name, Object.values(map) as Row[], terminal);
  }
  const lists = names.filter(
    (name) => isRows(fields[name]) && (isKnownList(name) || (fields[name] as Row[]).length > 0),
  );
  // An answer with a list is about the list; the rest of it is for programs.
  if (lists.length === 1) return listText(lists[0] as string, fields[lists[0] as string] as Row[], terminal);
  const { message } = fields;
  if (isMessage(message)) return conversation([message], terminal);
  const [only] = names;
  if (names.length === 1 && only !== undefined && isObject(fields[only])) return details(fields[only], terminal);
  return names.length === 0 ? '' : details(fields, terminal);
}

function listText(name: string, rows: readonly Row[], terminal: Terminal): string {
  if (rows.length === 0) return '';
  if (looksLikeMessages(rows)) return conversation(rows, terminal);
  const columns = columnsOf(name, rows);
  return table(
    columns.map(columnTitle),
    rows.map((row) => columns.map((column) => cell(column, row[column]))),
    terminal,
  );
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isObject);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
