import { ROLES_TO_CHOOSE, roleNamed } from './arguments/parsers.ts';
import { UsageError } from './failure.ts';
import { parseCsv } from './files.ts';

/** A user to create, as the API takes it. */
export interface Person {
  email: string;
  full_name: string;
  role?: 100 | 200 | 300 | 400 | 600;
  channels?: string[];
}

/** A line of the file: a user, or the reason why the line is not valid. */
export type PersonLine = { line: number; email: string } & ({ person: Person; groups: string[] } | { reason: string });

const COLUMNS = ['email', 'full_name', 'role', 'channels', 'groups'] as const;
type Column = (typeof COLUMNS)[number];
type Fields = Partial<Record<Column, unknown>>;

/** Other titles for the columns. */
const ALIASES: Readonly<Record<string, Column>> = { 'e-mail': 'email', 'full name': 'full_name', name: 'full_name' };

/**
 * Reads users from a CSV file with column titles, or from JSON lines. Channels and groups are separated by semicolons,
 * or are a JSON list. An invalid line and a repeated address get a `reason`.
 */
export function readPeople(text: string, format: 'csv' | 'jsonl'): PersonLine[] {
  const rows = format === 'csv' ? csvRows(text) : jsonRows(text);
  const first = new Map<string, number>();
  return rows.map(({ line, fields, fault }) => {
    const email = String(fields?.email ?? '').trim();
    if (!fields) return { line, email, reason: fault ?? 'This line is empty.' };
    const earlier = first.get(email.toLowerCase());
    if (earlier !== undefined) return { line, email, reason: `Line ${earlier} has the same address.` };
    if (email !== '') first.set(email.toLowerCase(), line);
    try {
      return { line, email, person: personOf(fields), groups: namesIn('Groups', fields.groups) };
    } catch (error) {
      return { line, email, reason: (error as Error).message };
    }
  });
}

interface Row {
  line: number;
  fields?: Fields;
  fault?: string;
}

function csvRows(text: string): Row[] {
  const [head, ...rows] = parseCsv(text);
  if (!head)
    throw new UsageError(
      'The file is empty.',
      'The first line must name the columns: email,full_name,role,channels,groups.',
    );
  const [first = ''] = head.cells;
  if (head.cells.length === 1 && /[;\t]/.test(first)) {
    throw new UsageError(
      `Columns must be separated by commas, not by ${first.includes(';') ? 'semicolons' : 'tabs'}.`,
      'Save the file with commas. Example of its first line: email,full_name,role',
    );
  }
  const columns = head.cells.map((title) => columnOf(title));
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice) throw new UsageError(`The column ${twice} appears twice.`);
  for (const needed of ['email', 'full_name'] as const) {
    if (!columns.includes(needed)) {
      throw new UsageError(
        `The column ${needed} is missing.`,
        'The first line must name the columns: email,full_name,role,channels,groups.',
      );
    }
  }
  return rows.map(({ line, cells }) => {
    if (cells.length !== columns.length) {
      return { line, fault: `This line has ${cells.length} values for ${columns.length} columns.` };
    }
    return { line, fields: Object.fromEntries(columns.map((column, at) => [column, cells[at]])) };
  });
}

function columnOf(title: string): Column {
  const name = title.trim().toLowerCase();
  const column = ALIASES[name] ?? COLUMNS.find((known) => known === name);
  if (!column) throw new UsageError(`Unknown column "${title.trim()}".`, `Columns are ${COLUMNS.join(', ')}.`);
  return column;
}

function jsonRows(text: string): Row[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines
    .flatMap((content, at): Row[] => {
      const line = at + 1;
      if (content.trim() === '') return [];
      let fields: unknown;
      try {
        fields = JSON.parse(content);
      } catch {
        return [{ line, fault: 'This line is not JSON.' }];
      }
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
        return [{ line, fault: 'This line is not a JSON object.' }];
      }
      const unknown = Object.keys(fields).find((key) => !COLUMNS.some((column) => column === key));
      if (unknown !== undefined) return [{ line, fields, fault: `Unknown field "${unknown}".` }];
      return [{ line, fields }];
    })
    .map((row) => (row.fault === undefined ? row : { line: row.line, fault: row.fault }));
}

function personOf({ email, full_name, role, channels }: Fields): Person {
  if (typeof email !== 'string' || email.trim() === '') throw new Error('The e-mail address is missing.');
  if (typeof full_name !== 'string' || full_name.trim() === '') throw new Error('The name is missing.');
  const given = roleOf(role);
  const places = namesIn('Channels', channels);
  return {
    email: email.trim(),
    full_name: full_name.trim(),
    ...(given === undefined ? {} : { role: given }),
    ...(places.length === 0 ? {} : { channels: places }),
  };
}

const ROLE_NUMBERS = [100, 200, 300, 400, 600];

function roleOf(given: unknown): Person['role'] {
  if (given === undefined || given === null || given === '') return undefined;
  const word = String(given).trim();
  const role = (/^[0-9]+$/.test(word) ? ROLE_NUMBERS.find((one) => one === Number(word)) : roleNamed(word)) as
    | Person['role']
    | undefined;
  if (role === undefined) throw new Error(`Unknown role "${given}". Roles are ${ROLES_TO_CHOOSE}.`);
  return role;
}

function namesIn(column: string, given: unknown): string[] {
  if (given === undefined || given === null) return [];
  const list = typeof given === 'string' ? given.split(';') : given;
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string')) {
    throw new Error(`${column} must be names separated by semicolons, or a JSON list.`);
  }
  return (list as string[]).map((name) => name.trim()).filter((name) => name !== '');
}
