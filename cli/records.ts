import { errorOf, isRecord, present } from '../lib/internal.ts';
import { LINE_END, parseCsv, separatorOf } from './csv.ts';
import { UsageError } from './failure.ts';
import { utf8TextOf } from './files.ts';
import { parseBoolean } from './profiles.ts';

// The files of `users import` and `sync`: one record on each line, as CSV or JSON.

/** The columns and fields that a command reads. A file may also have `profile:FIELD`. */
export interface RecordKind {
  columns: readonly string[];
  /** Columns of names, which semicolons separate in a text, and what a name becomes. */
  names: Readonly<Record<string, (name: string) => unknown>>;
  /** Columns of `true` and `false`. */
  flags?: readonly string[];
  /** Other titles of columns, in lower case. */
  aliases?: Readonly<Record<string, string>>;
  required: readonly string[];
  /** The advice if a required column is missing. */
  advice: string;
}

export const FORMAT_OPTION = ['--format <csv|jsonl>', 'format of the file (default: from its name, or csv)'] as const;
export const UNKNOWN_OPTION = ['--ignore-unknown-columns', 'leave out columns that are not listed above'] as const;

export interface RecordOptions {
  format?: string;
  ignoreUnknownColumns?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a line. Without those of no value, which change nothing. In CSV, these are empty. */
type Read = { fields: Fields & { profile?: Fields } } | { fault: string };

/** A line of the file, or what is wrong with it, to follow "Line 3". */
type FileRecord = { line: number } & Read;

/** Reads the file at a path, or stdin for `-`. */
export async function readRecords(path: string, options: RecordOptions, kind: RecordKind): Promise<FileRecord[]> {
  const { ignoreUnknownColumns: ignoresUnknown = false } = options;
  const format = formatOf(path, options.format);
  const text = await utf8TextOf(path);
  const lines = format === 'csv' ? csvLines(text, kind, { ignoresUnknown }) : jsonLines(text);
  return lines.map((read) => ('fault' in read ? read : recordOf(read, kind, { ignoresUnknown })));
}

function formatOf(path: string, given: string | undefined): 'csv' | 'jsonl' {
  if (given === 'csv' || given === 'jsonl') return given;
  if (given !== undefined) throw new UsageError('--format must be csv or jsonl.');
  return /\.(jsonl|ndjson|json)$/i.test(path) ? 'jsonl' : 'csv';
}

/** A column for a custom profile field: `profile:City`. */
const PROFILE_COLUMN = /^profile:\s*(?=\S)/i;

function recordOf(
  { line, fields }: { line: number; fields: Fields },
  { columns, names, flags = [] }: RecordKind,
  { ignoresUnknown }: { ignoresUnknown: boolean },
): FileRecord {
  const known: Record<string, unknown> = {};
  const profile: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(fields)) {
    const nameOf = Object.hasOwn(names, column) ? names[column] : undefined;
    if (value === null) continue;
    if (PROFILE_COLUMN.test(column)) profile[column.replace(PROFILE_COLUMN, '')] = value;
    else if (column === 'profile') {
      if (!isRecord(value)) return { line, fault: 'has a profile that is no object' };
      Object.assign(profile, value);
    } else if (nameOf && typeof value === 'string') known[column] = namesIn(value).map(nameOf);
    else if (flags.includes(column) && typeof value === 'string')
      known[column] = parseBoolean(value.toLowerCase(), `Line ${line}: ${column}`);
    else if (columns.includes(column)) known[column] = value;
    else if (!ignoresUnknown)
      return { line, fault: `has the unknown field "${column}". Use --ignore-unknown-columns to leave it out` };
  }
  return { line, fields: Object.keys(profile).length > 0 ? { ...known, profile } : known };
}

const namesIn = (text: string) => text.split(';').flatMap((name) => name.trim() || []);

function csvLines(
  text: string,
  { columns: known, aliases = {}, required, advice }: RecordKind,
  { ignoresUnknown }: { ignoresUnknown: boolean },
): FileRecord[] {
  const [head, ...rows] = parseCsv(text, separatorOf(text));
  if (!head) throw new UsageError('The file is empty.', advice);
  const isEmpty = (at: number) => rows.every(({ cells }) => (cells[at] ?? '').trim() === '');
  const titled = head.cells.flatMap((title, at) => {
    const name = title.trim();
    if (PROFILE_COLUMN.test(name)) return { at, column: name.replace(PROFILE_COLUMN, 'profile:') };
    const column = aliases[name.toLowerCase()] ?? name.toLowerCase();
    if (known.includes(column)) return { at, column };
    // Spreadsheets add empty columns at the end.
    if (isEmpty(at) && (name === '' || rows.length > 0)) return [];
    if (name === '') throw new UsageError(`Column ${at + 1} has values, but no name in the first line.`, advice);
    if (ignoresUnknown) return [];
    throw new UsageError(
      `Unknown column "${name}". Add --ignore-unknown-columns to leave it out.`,
      `Columns are ${known.join(', ')} and profile:FIELD.`,
    );
  });
  const columns = titled.map(({ column }) => column);
  const keys = columns.map((column) => column.toLowerCase());
  const twice = columns.find((_, at) => keys.indexOf(present(keys[at])) !== at);
  if (twice !== undefined) throw new UsageError(`The column ${twice} appears twice.`);
  const missing = required.find((column) => !columns.includes(column));
  if (missing !== undefined) throw new UsageError(`The column ${missing} is missing.`, advice);
  const last = titled.at(-1)?.at ?? -1;
  return rows.map(({ line, cells }) => {
    const isWhole = cells.length > last && cells.slice(head.cells.length).every((cell) => cell.trim() === '');
    if (!isWhole) return { line, fault: `has ${cells.length} values for ${head.cells.length} columns` };
    const filled = titled.map(({ at, column }) => [column, (cells[at] ?? '').trim()]);
    return { line, fields: Object.fromEntries(filled.filter(([, value]) => value !== '')) };
  });
}

function jsonLines(text: string): FileRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split(LINE_END);
  return lines.flatMap((content, at) => (content.trim() === '' ? [] : { line: at + 1, ...jsonFields(content) }));
}

/** The fields of a JSON object, or what is wrong with the text. */
export function jsonFields(content: string): { fields: Record<string, unknown> } | { fault: string; cause?: string } {
  let fields: unknown;
  try {
    fields = JSON.parse(content);
  } catch (error) {
    return { fault: 'is not JSON', cause: errorOf(error).message };
  }
  return isRecord(fields) ? { fields } : { fault: 'is not a JSON object' };
}
