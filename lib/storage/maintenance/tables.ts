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

/** A table whose rows cannot be derived from other tables. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** Key columns. Empty if there is at most one row. */
  key: readonly string[];
  /** The column with generated IDs. */
  counted: string | undefined;
  /** IDs are never used twice, even if their row is deleted. */
  isCountedOnce: boolean;
}

/**
 * Not in a backup: event queues, since clients register again, and the log except its newest event, which marks the end
 * of the log. Programs that read the log get an `EventGap`.
 */
export const ENDING: ReadonlyMap<string, string> = new Map([
  ['events', 'seq = (SELECT MAX(n.seq) FROM events n)'],
  ['event_recipients', '1 = 0'],
  ['event_queues', '1 = 0'],
]);

/** The script that creates the tables of these migrations, without their fills. */
export function schemaOf(known: readonly Migration[], dialect: Dialect, { countedOnce = false } = {}): string {
  const script = [JOURNAL, ...known.map(({ sql }) => sql)].join('\n');
  return dialect.schema(countedOnce ? script.replace(/\bID\b/g, 'LOG_ID') : script);
}

/** The tables of these migrations, ordered by name. Includes tables into which migrations insert rows. */
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

/** Whether a fill creates the content: of the table itself, or of its internal tables. */
function isDerived(table: string, known: readonly Migration[]): boolean {
  const made = known.flatMap(({ fill }) => fill?.makes ?? []);
  return made.some((name) => table === name || table.startsWith(`${name}_`));
}

function tableIn(template: SqliteConnection, name: string, sql: string): Table {
  type Info = { name: string; type: Column['type']; pk: number };
  const columns = template.all<Info>(`SELECT name, type, pk FROM pragma_table_info('${name}') ORDER BY cid`);
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  // Only `id` and `seq` are generated. Other numeric keys refer to another table, or there is only one row.
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

/** The last generated ID of a table. 0 if there is none. */
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
