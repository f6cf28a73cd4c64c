import { JOURNAL } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/migration.ts';
import type { Connection } from '../sql/connection.ts';
import { type Dialect, sqliteDialect } from '../sql/dialect.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { defaultDriver } from '../sqlite/driver.ts';

export interface Column {
  name: string;
  type: 'INTEGER' | 'TEXT' | 'BLOB';
}

/** A table that holds what cannot be made from anything else. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** Names of columns; empty where there is one row at most. */
  key: readonly string[];
  /** The column whose values are given by counting. */
  counted: string | undefined;
  /** Values of it are never given twice, whatever becomes of their row. */
  isCountedOnce: boolean;
}

/**
 * Queues end with the server that kept them: people's clients register anew. Of the log the newest event stays, by
 * which it is known how far the log has come; programs that look on are told of the gap.
 */
export const ENDING: ReadonlyMap<string, string> = new Map([
  ['events', 'seq = (SELECT MAX(n.seq) FROM events n)'],
  ['event_recipients', '1 = 0'],
  ['event_queues', '1 = 0'],
]);

/** The script that makes a database as these migrations have it, without what they fill row by row. */
export function schemaOf(known: readonly Migration[], dialect: Dialect, { countedOnce = false } = {}): string {
  const script = [JOURNAL, ...known.map(({ sql }) => sql)].join('\n');
  return dialect.schema(countedOnce ? script.replace(/\bID\b/g, 'LOG_ID') : script);
}

/** Tables as these migrations have them, in the order of their names; those in which migrations put rows have them still. */
export function tablesOf(known: readonly Migration[]): readonly Table[] {
  const template = new SqliteConnection(defaultDriver(), ':memory:');
  try {
    template.exec(schemaOf(known, sqliteDialect));
    const names = template.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    );
    return names.filter(({ name }) => !isDerived(name, known)).map(({ name, sql }) => tableIn(template, name, sql));
  } finally {
    template.close();
  }
}

/** Whether a filling makes it: itself, or one of the tables that an engine keeps for it. */
function isDerived(table: string, known: readonly Migration[]): boolean {
  const made = known.flatMap(({ fill }) => fill?.makes ?? []);
  return made.some((name) => table === name || table.startsWith(`${name}_`));
}

function tableIn(template: SqliteConnection, name: string, sql: string): Table {
  type Info = { name: string; type: Column['type']; pk: number };
  const columns = template.all<Info>(`SELECT name, type, pk FROM pragma_table_info('${name}') ORDER BY cid`);
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  // Only `id` and `seq` are given by counting: other keys that are numbers refer to another table, or there is one row.
  const counted = /\(\s*(\w+) INTEGER PRIMARY KEY( AUTOINCREMENT)?,/.exec(sql);
  const isCounted = counted?.[1] === 'seq' || (counted?.[1] === 'id' && !/CHECK \(id = 1\)/.test(sql));
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    key: key.map((column) => column.name),
    counted: isCounted && name !== 'presence_updates' ? counted?.[1] : undefined,
    isCountedOnce: counted?.[2] !== undefined,
  };
}

/** The last value that was given in a table that counts; 0 where none was. */
export async function lastGiven(connection: Connection, { name, counted, isCountedOnce }: Table): Promise<number> {
  const highest = `SELECT COALESCE(MAX(${counted}), 0) AS last FROM ${name}`;
  const given = LAST_GIVEN[connection.dialect.name];
  const rows = [
    await connection.get<{ last: number | null }>(highest),
    connection.dialect.name === 'postgres'
      ? await connection.get<{ last: number | null }>(given, [name, counted as string])
      : undefined,
    connection.dialect.name === 'sqlite' && isCountedOnce
      ? await connection.get<{ last: number }>(given, [name])
      : undefined,
  ];
  return Math.max(...rows.map((row) => row?.last ?? 0));
}

const LAST_GIVEN = {
  postgres: 'SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass)) AS last',
  sqlite: 'SELECT seq AS last FROM sqlite_sequence WHERE name = ?',
};
