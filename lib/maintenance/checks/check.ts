import type { FileStore } from '../../adapters/files.ts';
import { counted } from '../../base/counted.ts';
import { lastGiven, lastOfSequence, tablesOf } from '../../storage/maintenance/tables.ts';
import { migrations } from '../../storage/migrations/index.ts';
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
  restore:
    'Restore the latest backup without findings into another database (`chatctl restore FILE.backup --db other.db`) and compare.',
  repair: 'Run `chatctl doctor --fix`.',
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

const DAMAGE_ADVICE = 'Stop the server, check the disk, and restore the latest backup.';

/** Integrity checks of the database engine, and checks of what it should enforce. */
export const engineChecks: readonly Check[] = [
  {
    name: 'engine',
    says: (n) => `The database file is damaged in ${counted(n, 'place')}.`,
    advice: DAMAGE_ADVICE,
    run: once({
      sqlite: `SELECT integrity_check AS example FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
    }),
  },
  {
    name: 'references',
    says: (n) => `${counted(n, 'row refers', 'rows refer')} to rows that do not exist.`,
    advice: ADVICE.restore,
    run: once({
      // One example for each pair of tables.
      sqlite: `SELECT "table" || ' to ' || parent || ' (' || COUNT(*) || ')' AS example FROM pragma_foreign_key_check
        GROUP BY "table", parent`,
      postgres: `SELECT CAST(CAST(conrelid AS regclass) AS text) || ': ' || conname AS example FROM pg_constraint
        WHERE NOT convalidated AND connamespace = CAST(current_schema() AS regnamespace)`,
    }),
  },
  {
    name: 'indexes',
    says: (n) => `${counted(n, 'index is', 'indexes are')} unusable.`,
    advice: ADVICE.repair,
    run: once({
      postgres: `SELECT CAST(CAST(indexrelid AS regclass) AS text) AS example FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT (i.indisvalid AND i.indisready) AND c.relnamespace = CAST(current_schema() AS regnamespace)`,
    }),
  },
  {
    name: 'numbers',
    says: (n) => `In ${counted(n, 'table')}, the next generated ID is already used.`,
    advice: ADVICE.repair,
    async *run({ connection }) {
      if (connection.dialect.name !== 'postgres') return;
      for (const table of tablesOf(migrations)) {
        if (!table.counted) continue;
        const given = (await lastOfSequence(connection, table.name, table.counted)) ?? 0;
        const highest = (await connection.value(`SELECT MAX(${table.counted}) FROM ${table.name}`)) ?? 0;
        if (highest > given) yield `${table.name}: ${highest}`;
      }
    },
  },
  {
    name: 'log',
    says: (n) => `${counted(n, 'event queue is', 'event queues are')} ahead of the event log.`,
    advice: `Their clients would miss events. ${ADVICE.repair} It removes these queues, and the clients register again.`,
    async *run({ connection }) {
      const events = tablesOf(migrations).find(({ name }) => name === 'events');
      const last = events ? await lastGiven(connection, events) : 0;
      const queues = await connection.column<string>(
        'SELECT id FROM event_queues WHERE acked_seq > ? OR start_seq > ? ORDER BY id LIMIT 1000',
        [last, last],
      );
      yield* queues;
    },
  },
];
