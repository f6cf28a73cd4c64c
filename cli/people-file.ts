import { emailKey, ROLE_NAMES } from '../lib/internal.ts';
import { ROLES_TO_CHOOSE, roleNamed } from './arguments/parsers.ts';
import { UsageError } from './failure.ts';
import { parseCsv } from './files.ts';

export type Person = { email: string; full_name: string; role?: 100 | 200 | 300 | 400 | 600; channels?: string[] };

/** A line of the file: a user, or the reason why the line is not valid. */
export type PersonLine = { line: number; email: string } & (
  | { person: Person; groups: string[]; profile: [field: string, value: string][] }
  | { reason: string }
);

const COLUMNS = ['email', 'full_name', 'role', 'channels', 'groups'] as const;
/** A custom profile field: `profile:City`. */
const PROFILE = /^profile:\s*(?=\S)/i;
type Column = (typeof COLUMNS)[number] | `profile:${string}`;
type Fields = Partial<Record<Column, unknown>>;

const ALIASES: Readonly<Record<string, Column>> = { 'e-mail': 'email', 'full name': 'full_name', name: 'full_name' };

/** Reads users from CSV or JSON lines. An invalid line and a repeated address get a `reason`. */
export function readPeople(text: string, format: 'csv' | 'jsonl'): PersonLine[] {
  const rows = format === 'csv' ? csvRows(text) : jsonRows(text);
  const first = new Map<string, number>();
  return rows.map(({ line, fields, fault }) => {
    const email = String(fields?.email ?? '').trim();
    if (!fields) return { line, email, reason: fault ?? 'This line is empty.' };
    const earlier = first.get(emailKey(email));
    if (earlier !== undefined) return { line, email, reason: `Line ${earlier} has the same address.` };
    if (email !== '') first.set(emailKey(email), line);
    try {
      const person = personOf(fields);
      return { line, email, person, groups: namesIn('Groups', fields.groups), profile: profileOf(fields) };
    } catch (error) {
      return { line, email, reason: (error as Error).message };
    }
  });
}

const NEEDS_COLUMNS = `The first line must name the columns: ${COLUMNS.join()}.`;

type Row = { line: number; fields?: Fields; fault?: string };

function csvRows(text: string): Row[] {
  const [head, ...rows] = parseCsv(text);
  if (!head) throw new UsageError('The file is empty.', NEEDS_COLUMNS);
  const [first = ''] = head.cells;
  if (head.cells.length === 1 && /[;\t]/.test(first))
    throw new UsageError(
      `Columns must be separated by commas, not by ${first.includes(';') ? 'semicolons' : 'tabs'}.`,
      'Save the file with commas. Example of its first line: email,full_name,role',
    );
  const columns = head.cells.map((title) => columnOf(title));
  const keys = columns.map((column) => column.toLowerCase());
  const twice = columns.find((_, at) => keys.indexOf(keys[at] as string) !== at);
  if (twice) throw new UsageError(`The column ${twice} appears twice.`);
  const missing = (['email', 'full_name'] as const).find((column) => !columns.includes(column));
  if (missing) throw new UsageError(`The column ${missing} is missing.`, NEEDS_COLUMNS);
  return rows.map(({ line, cells }) => {
    if (cells.length !== columns.length)
      return { line, fault: `This line has ${cells.length} values for ${columns.length} columns.` };
    return { line, fields: Object.fromEntries(columns.map((column, at) => [column, cells[at]])) };
  });
}

function columnOf(title: string): Column {
  const name = title.trim().toLowerCase();
  if (PROFILE.test(title.trim())) return `profile:${title.trim().replace(PROFILE, '')}`;
  const column = ALIASES[name] ?? COLUMNS.find((known) => known === name);
  if (!column)
    throw new UsageError(`Unknown column "${title.trim()}".`, `Columns are ${COLUMNS.join(', ')} and profile:FIELD.`);
  return column;
}

function jsonRows(text: string): Row[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines.flatMap((content, at) => (content.trim() === '' ? [] : [{ line: at + 1, ...jsonFields(content) }]));
}

function jsonFields(content: string): Pick<Row, 'fields' | 'fault'> {
  let fields: unknown;
  try {
    fields = JSON.parse(content);
  } catch {
    return { fault: 'This line is not JSON.' };
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { fault: 'This line is not a JSON object.' };
  const unknown = Object.keys(fields).find((key) => !PROFILE.test(key) && !COLUMNS.some((column) => column === key));
  return unknown === undefined ? { fields } : { fault: `Unknown field "${unknown}".` };
}

function personOf({ email, full_name, role, channels }: Fields): Person {
  if (typeof email !== 'string' || email.trim() === '') throw new Error('The e-mail address is missing.');
  if (typeof full_name !== 'string' || full_name.trim() === '') throw new Error('The name is missing.');
  const person = { email: email.trim(), full_name: full_name.trim(), role: roleOf(role) };
  const places = namesIn('Channels', channels);
  return places.length === 0 ? person : { ...person, channels: places };
}

function roleOf(given: unknown): Person['role'] {
  const word = String(given ?? '').trim();
  if (word === '') return undefined;
  const role = Object.values(ROLE_NAMES).find((known) => known === Number(word)) ?? roleNamed(word);
  if (role === undefined) throw new Error(`Unknown role "${given}". Roles are ${ROLES_TO_CHOOSE}.`);
  return role as Person['role'];
}

/** Without empty values: they change nothing. */
function profileOf(fields: Fields): [field: string, value: string][] {
  return Object.entries(fields).flatMap(([key, given]): [string, string][] => {
    const value = String(given ?? '').trim();
    if (PROFILE.test(key) && /\[object /.test(value) && typeof given !== 'string')
      throw new Error(`"${key}" must be a text or a list of texts.`);
    return PROFILE.test(key) && value !== '' ? [[key.replace(PROFILE, ''), value]] : [];
  });
}

function namesIn(column: string, given: unknown): string[] {
  if (given === undefined || given === null) return [];
  const list = typeof given === 'string' ? given.split(';') : given;
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string'))
    throw new Error(`${column} must be names separated by semicolons, or a JSON list.`);
  return (list as string[]).map((name) => name.trim()).filter((name) => name !== '');
}
