import { present } from '../../base/present.ts';
import { JOURNAL } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/migration.ts';
import type { Connection, RowShape, SqlValue } from '../sql/connection.ts';
import { type Dialect, sqliteDialect } from '../sql/dialect.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { defaultDriver } from '../sqlite/driver.ts';
import { StorageError } from '../storage-error.ts';

/** Access to a whole database of any version, for backup, restore, move and checks. The storage need not be open. */
export interface Keepable {
  /**
   * Runs work on a read-only snapshot, over a separate connection. Does not migrate and does not block servers.
   * @param options `isOfAnyVersion`: also for newer and too old versions, whose tables may differ
   * @throws StorageError if there are no tables, or if the database is of a newer version
   * @internal
   */
  inspect<T>(
    work: (connection: Connection, version: number) => Promise<T>,
    options?: { isOfAnyVersion?: boolean },
  ): Promise<T>;
  /**
   * Creates the database again, atomically: other processes see the old content or all of the new. The new one has
   * the tables of migration `version` and no rows. Foreign keys are checked only after the work.
   * @throws StorageError `busy` if a server uses the database
   * @internal
   */
  refill<T>(options: RefillOptions, work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs work in a write transaction over a separate connection. The writes of all processes wait. Then wakes the
   * processes. Does not migrate.
   * @throws StorageError `busy` if a writer does not end soon
   * @internal
   */
  change<T>(work: (connection: Connection) => Promise<T>, options?: ChangeOptions): Promise<T>;
  /**
   * Checks the references of rows that were changed with `ignoresReferences`. Other processes can write at the same time.
   * @throws StorageError `io` if a row refers to one that does not exist
   * @internal
   */
  checkReferences(): Promise<void>;
}

/** Options of `change`. */
export interface ChangeOptions {
  /** Other processes can write at the same time, if the engine has several writers. Wakes none. Default false. */
  isShared?: boolean;
  /** Foreign keys have no effect in the work. Call `checkReferences` afterwards. Default false. */
  ignoresReferences?: boolean;
}

export interface RefillOptions {
  version: number;
  /** Throws if the existing organization must not be replaced. Not called if there is none. */
  checkReplaceable(name: string): void;
  /** Called with the path of the old content, if it is kept. */
  onSetAside?: (place: string) => void;
}

export interface Column {
  name: string;
  type: 'INTEGER' | 'TEXT' | 'BLOB';
}

/** A table whose rows cannot be derived from other tables. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** Key columns. Empty before migration 53 for a table with one row. */
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
  const template = SqliteConnection.open(defaultDriver(), ':memory:');
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
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
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
  const isPostgres = connection.dialect.name === 'postgres';
  const highest = await connection.value(`SELECT MAX(${counted}) AS last FROM ${name}`);
  const given = isPostgres
    ? await lastOfSequence(connection, name, counted as string)
    : isCountedOnce && (await connection.value(LAST_GIVEN.sqlite, [name]));
  return Math.max(highest ?? 0, given || 0);
}

/**
 * The last ID that the sequence of a column gave. undefined: none. Without the right to read a sequence, PostgreSQL 17
 * and later return NULL, as for an unused one.
 */
export async function lastOfSequence(
  connection: Connection,
  table: string,
  column: string,
): Promise<number | undefined> {
  const found = await connection.get<{ may_read: boolean; grant: string }>(MAY_READ, [table, column]);
  if (found && !found.may_read)
    throw new StorageError(
      `The role may not read the sequence of the table ${table}. As the owner, run: ${found.grant}`,
      'read-only',
    );
  return connection.value(LAST_GIVEN.postgres, [table, column]);
}

const MAY_READ = `
  SELECT has_sequence_privilege(s.name, 'SELECT') OR has_sequence_privilege(s.name, 'USAGE') AS may_read,
    'GRANT SELECT ON ALL SEQUENCES IN SCHEMA ' || quote_ident(current_schema()) || ' TO ' || quote_ident(current_user)
      || ';' AS "grant"
  FROM (SELECT pg_get_serial_sequence(?, ?) AS name) AS s WHERE s.name IS NOT NULL`;

const LAST_GIVEN = {
  postgres: 'SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass)) AS last',
  sqlite: 'SELECT seq AS last FROM sqlite_sequence WHERE name = ?',
};

/** Rows per slice: at most a few megabytes of messages. */
const ROWS_PER_READ = 500;
/** Rows per slice of tables with pictures. */
const SLICE_WITH_BYTES = 20;

export type Values = readonly SqlValue[];

export const asTheyCome: RowShape<Values> = { reader: () => (values) => values };

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** All rows of a table in key order, in slices. Yields the event loop between slices. */
export async function* slicesOf(
  connection: Connection,
  { name, columns, key }: Pick<Table, 'name' | 'columns' | 'key'>,
  condition = '1 = 1',
): AsyncGenerator<Values[]> {
  const places = key.map((column) => columns.findIndex((each) => each.name === column));
  const limit = columns.some(({ type }) => type === 'BLOB') ? SLICE_WITH_BYTES : ROWS_PER_READ;
  const select = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name} WHERE ${condition}`;
  const order = key.length === 0 ? '' : `ORDER BY ${key.join(', ')}`;
  const after = `AND (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  let rows = await connection.many(asTheyCome, `${select} ${order} LIMIT ?`, [limit]);
  while (rows.length > 0) {
    yield rows;
    const last = present(rows.at(-1));
    if (rows.length < limit || key.length === 0) return;
    await nextTurn();
    const reached = places.map((place) => last[place] ?? null);
    rows = await connection.many(asTheyCome, `${select} ${after} ${order} LIMIT ?`, [...reached, limit]);
  }
}

/** Inserts rows with all columns. */
export async function addRows(connection: Connection, table: Table, rows: readonly Values[]): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ');
  if (connection.dialect.name === 'sqlite') {
    const text = `INSERT INTO ${table.name} (${names}) VALUES (${table.columns.map(() => '?').join(', ')})`;
    for (const row of rows) await connection.run(text, row);
    return;
  }
  const typed = table.columns.map(({ name, type }) => `${name} ${type === 'INTEGER' ? 'bigint' : 'text'}`).join(', ');
  const values = table.columns.map(({ name, type }) => (type === 'BLOB' ? `decode(x.${name}, 'base64')` : `x.${name}`));
  const objects = rows.map((row) => Object.fromEntries(table.columns.map(({ name }, at) => [name, asJson(row[at])])));
  await connection.run(
    `INSERT INTO ${table.name} (${names}) SELECT ${values.join(', ')} FROM json_to_recordset(CAST(? AS json)) AS x (${typed})`,
    [JSON.stringify(objects)],
  );
}

function asJson(value: SqlValue | undefined): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : (value ?? null);
}

export async function countOf(connection: Connection, table: string, condition = '1 = 1'): Promise<number> {
  return (await connection.value(`SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`)) ?? 0;
}
