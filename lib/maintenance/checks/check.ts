import type { FileStore } from '../../adapters/files.ts';
import type { Connection } from '../../storage/sql/connection.ts';

/** A problem found by `check`, described for the operator. */
export interface Finding {
  /** Name of the check, for example `references`. */
  check: string;
  /** Number of affected rows, files or places. */
  count: number;
  /** The problem, as one sentence with the number. */
  says: string;
  /** At most five affected rows or files, as text. */
  examples: string[];
  /** How to fix it. */
  advice: string;
}

export interface Checked {
  connection: Connection;
  /** undefined: files are not checked. */
  files: FileStore | undefined;
  /** Outbox kinds that this version knows. */
  kinds: ReadonlySet<string>;
  /** Progress of a long check. */
  onStep(what: string, done: number, total: number): void;
}

/** A rule that always holds. Reads in parts and keeps only a few examples. */
export interface Check {
  name: string;
  advice: string;
  /** The problem, for this number of violations. */
  says(count: number): string;
  /** Yields one text for each violation. */
  run(checked: Checked): AsyncIterable<string>;
}

export const ADVICE = {
  restore: 'Restore the latest backup without findings into another database (`chatctl restore`) and compare.',
  remake: 'Back up and restore the database to rebuild it: `chatctl backup`, then `chatctl restore --replace`.',
} as const;

/** Rows per statement. */
const IDS_PER_STATEMENT = 20_000;

/**
 * A check that runs a statement for each window of IDs of a table. Its two parameters are the ID before the window and
 * the last ID of the window. It selects `example`, the text to show.
 */
export function inWindows(
  table: string,
  text: string | Readonly<Record<'sqlite' | 'postgres', string>>,
  { key = 'id', width = IDS_PER_STATEMENT }: { key?: string; width?: number } = {},
): Check['run'] {
  return async function* ({ connection, onStep }) {
    const range = await connection.get<{ low: number | null; high: number | null }>(
      `SELECT MIN(${key}) AS low, MAX(${key}) AS high FROM ${table}`,
    );
    const [low, high] = [range?.low ?? 0, range?.high ?? -1];
    const sql = typeof text === 'string' ? text : text[connection.dialect.name];
    for (let after = low - 1; after < high; ) {
      // Windows contain a number of rows, not of IDs: gaps in the IDs cost nothing.
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

/** A check with a single small statement. An engine without a text needs no check. */
export function once(text: string | Readonly<Partial<Record<'sqlite' | 'postgres', string>>>): Check['run'] {
  return async function* ({ connection }) {
    const sql = typeof text === 'string' ? text : text[connection.dialect.name];
    if (sql === undefined) return;
    for (const { example } of await connection.all<{ example: string | number }>(sql)) yield String(example);
  };
}
