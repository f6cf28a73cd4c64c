import { ROLES_TO_CHOOSE, roleNamed } from './arguments/parsers.ts';
import { parseCsv } from './csv.ts';
import { UsageError } from './failure.ts';

/** Somebody in a file, as the chat is given them. */
export interface Person {
  email: string;
  full_name: string;
  role?: 100 | 200 | 300 | 400 | 600;
  channels?: string[];
}

/** A person with the line of the file, or why nobody can be made of it. */
export type PersonLine = { line: number; email: string } & ({ person: Person; groups: string[] } | { reason: string });

const COLUMNS = ['email', 'full_name', 'role', 'channels', 'groups'] as const;
type Column = (typeof COLUMNS)[number];
type Fields = Partial<Record<Column, unknown>>;

/** What people call the columns. */
const ALIASES: Readonly<Record<string, Column>> = { 'e-mail': 'email', 'full name': 'full_name', name: 'full_name' };

/**
 * People from a CSV with titles, or from lines of JSON. Channels and groups are apart by semicolons, or a list in JSON.
 * What is wrong with one line is said of that line; an address that stands there twice is taken once.
 */
export function readPeople(text: string, format: 'csv' | 'jsonl'): PersonLine[] {
  const rows = format === 'csv' ? csvRows(text) : jsonRows(text);
  const first = new Map<string, number>();
  return rows.map(({ line, fields, fault }) => {
    const email = String(fields?.email ?? '').trim();
    if (!fields) return { line, email, reason: fault ?? 'This line is empty.' };
    const earlier = first.get(email.toLowerCase());
    if (earlier !== undefined) return { line, email, reason: `The same address stands in line ${earlier}.` };
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
      'Its first line names the columns: email,full_name,role,channels,groups.',
    );
  const [first = ''] = head.cells;
  if (head.cells.length === 1 && /[;\t]/.test(first)) {
    throw new UsageError(
      `Columns are apart by commas; here they are by ${first.includes(';') ? 'semicolons' : 'tabs'}.`,
      'Save it with commas. Its first line is such as email,full_name,role.',
    );
  }
  const columns = head.cells.map((title) => columnOf(title));
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice) throw new UsageError(`The column ${twice} is there twice.`);
  for (const needed of ['email', 'full_name'] as const) {
    if (!columns.includes(needed)) {
      throw new UsageError(
        `There is no column ${needed}.`,
        'The first line names the columns: email,full_name,role,channels,groups.',
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
  if (!column) throw new UsageError(`There is no column "${title.trim()}".`, `Columns are ${COLUMNS.join(', ')}.`);
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
      if (unknown !== undefined) return [{ line, fields, fault: `There is no field "${unknown}".` }];
      return [{ line, fields }];
    })
    .map((row) => (row.fault === undefined ? row : { line: row.line, fault: row.fault }));
}

function personOf({ email, full_name, role, channels }: Fields): Person {
  if (typeof email !== 'string' || email.trim() === '') throw new Error('There is no address.');
  if (typeof full_name !== 'string' || full_name.trim() === '') throw new Error('There is no name.');
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
  if (role === undefined) throw new Error(`There is no role "${given}"; roles are ${ROLES_TO_CHOOSE}.`);
  return role;
}

function namesIn(column: string, given: unknown): string[] {
  if (given === undefined || given === null) return [];
  const list = typeof given === 'string' ? given.split(';') : given;
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string')) {
    throw new Error(`${column} are names, apart by semicolons or a list in JSON.`);
  }
  return (list as string[]).map((name) => name.trim()).filter((name) => name !== '');
}
