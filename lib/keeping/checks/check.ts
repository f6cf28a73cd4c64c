import type { FileStore } from '../../ports/files.ts';
import type { Connection } from '../../storage/sql/connection.ts';

/** Something that should not be so, in sentences for whoever runs the chat. */
export interface Finding {
  /** Name of the check, such as `references`. */
  check: string;
  /** How many rows, files or places are concerned. */
  count: number;
  /** What is wrong, as one sentence with the count in it. */
  says: string;
  /** The first of those concerned, five at most, as text. */
  examples: string[];
  /** What to do, in sentences. */
  advice: string;
}

export interface Checked {
  connection: Connection;
  /** Where uploaded files are; undefined where they are not looked at. */
  files: FileStore | undefined;
  /** Kinds of the outbox that this version does. */
  kinds: ReadonlySet<string>;
  /** How far it is, of what is long. */
  onStep(what: string, done: number, total: number): void;
}

/** Something that always holds. Whatever it reads it reads in parts, and it keeps a few examples only. */
export interface Check {
  name: string;
  advice: string;
  /** Says what is wrong where so many are. */
  says(count: number): string;
  /** Yields one text for each offender. */
  run(checked: Checked): AsyncIterable<string>;
}

const RESTORE = 'Restore the latest backup in which `chatctl check` finds nothing, beside this database, and compare.';

export const ADVICE = {
  restore: RESTORE,
  remake: 'A backup that is restored makes it anew: `chatctl backup`, then `chatctl restore --replace`.',
} as const;

/** `1 message`, `2 messages`. */
export const counted = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/** Rows at a time of a statement that takes the id after which to begin and the one at which to end. */
const WINDOW = 20_000;

/**
 * A check by a statement over a window of ids of a table: two parameters, after which and up to which. It selects
 * `example`, the texts to show.
 */
export function inWindows(
  table: string,
  text: string | Readonly<Record<'sqlite' | 'postgres', string>>,
  { key = 'id', width = WINDOW }: { key?: string; width?: number } = {},
): Check['run'] {
  return async function* ({ connection, onStep }) {
    const range = await connection.get<{ low: number | null; high: number | null }>(
      `SELECT MIN(${key}) AS low, MAX(${key}) AS high FROM ${table}`,
    );
    const [low, high] = [range?.low ?? 0, range?.high ?? -1];
    const sql = typeof text === 'string' ? text : text[connection.dialect.name];
    for (let after = low - 1; after < high; ) {
      // Numbers that were passed over are not gone through.
      const end = await connection.get<{ up_to: number | null }>(
        `SELECT MAX(${key}) AS up_to FROM (SELECT ${key} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?) AS w`,
        [after, width],
      );
      const upTo = end?.up_to ?? high;
      for (const { example } of await connection.all<{ example: string | number }>(sql, [after, upTo])) {
        yield String(example);
      }
      after = upTo;
      onStep(table, after - low, high - low);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

/** A check by one statement that looks at little. */
export function once(text: string): Check['run'] {
  return async function* ({ connection }) {
    for (const { example } of await connection.all<{ example: string | number }>(text)) yield String(example);
  };
}
