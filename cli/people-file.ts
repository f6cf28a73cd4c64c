import { emailKey, ROLE_NAMES } from '../lib/internal.ts';
import { ROLES_TO_CHOOSE, roleNamed } from './arguments/parsers.ts';
import { UsageError } from './failure.ts';
import { PROFILE_COLUMN, readRecords } from './files.ts';

export type Person = { email: string; full_name: string; role?: 100 | 200 | 300 | 400 | 600; channels?: string[] };

/** A line of the file: a user, or the reason why the line is not valid. */
export type PersonLine = { line: number; email: string } & (
  | { person: Person; groups: string[]; profile: [field: string, value: string][] }
  | { reason: string }
);

const COLUMNS = ['email', 'full_name', 'role', 'channels', 'groups'] as const;
type Column = (typeof COLUMNS)[number] | `profile:${string}`;
type Fields = Partial<Record<Column, unknown>>;

const ALIASES: Readonly<Record<string, Column>> = { 'e-mail': 'email', 'full name': 'full_name', name: 'full_name' };

const NEEDS_COLUMNS = `The first line must name the columns: ${COLUMNS.join()}.`;

/** Reads users from CSV or JSON lines. An invalid line and a repeated address get a `reason`. */
export function readPeople(text: string, format: 'csv' | 'jsonl'): PersonLine[] {
  const advice = { onEmpty: NEEDS_COLUMNS, onMissing: NEEDS_COLUMNS };
  const records = readRecords(text, format, { columnsOf, required: ['email', 'full_name'], advice });
  const first = new Map<string, number>();
  return records.map((record) => {
    const { line } = record;
    if ('fault' in record) return { line, email: '', reason: `This line ${record.fault}.` };
    const fields: Fields = record.fields;
    const unknown = Object.keys(fields).find(
      (key) => !PROFILE_COLUMN.test(key) && !COLUMNS.some((column) => column === key),
    );
    if (unknown !== undefined) return { line, email: '', reason: `Unknown field "${unknown}".` };
    const email = String(fields.email ?? '').trim();
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

function columnsOf(titles: readonly string[]): Column[] {
  return titles.map(columnOf);
}

function columnOf(title: string): Column {
  const name = title.trim().toLowerCase();
  if (PROFILE_COLUMN.test(title.trim())) return `profile:${title.trim().replace(PROFILE_COLUMN, '')}`;
  const column = ALIASES[name] ?? COLUMNS.find((known) => known === name);
  if (!column)
    throw new UsageError(`Unknown column "${title.trim()}".`, `Columns are ${COLUMNS.join(', ')} and profile:FIELD.`);
  return column;
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
    if (PROFILE_COLUMN.test(key) && /\[object /.test(value) && typeof given !== 'string')
      throw new Error(`"${key}" must be a text or a list of texts.`);
    return PROFILE_COLUMN.test(key) && value !== '' ? [[key.replace(PROFILE_COLUMN, ''), value]] : [];
  });
}

function namesIn(column: string, given: unknown): string[] {
  if (given === undefined || given === null) return [];
  const list = typeof given === 'string' ? given.split(';') : given;
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string'))
    throw new Error(`${column} must be names separated by semicolons, or a JSON list.`);
  return (list as string[]).map((name) => name.trim()).filter((name) => name !== '');
}
