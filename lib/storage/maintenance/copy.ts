import type { Connection, RowShape, SqlValue } from '../sql/connection.ts';
import type { Table } from './tables.ts';

/** Rows per slice: at most a few megabytes of messages. */
const ROWS_PER_READ = 500;
/** Rows per slice of tables with pictures. */
const SLICE_WITH_BYTES = 20;

type Values = readonly SqlValue[];

const asTheyCome: RowShape<Values> = { reader: () => (values) => values };

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
    const last = rows.at(-1) as Values;
    if (rows.length < limit || key.length === 0) return;
    await nextTurn();
    const reached = places.map((place) => last[place] as SqlValue);
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

export async function countOf(connection: Connection, { name }: Table, condition = '1 = 1'): Promise<number> {
  return (await connection.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name} WHERE ${condition}`))?.n ?? 0;
}

/** An older database lacks the tables of later migrations. */
export async function hasTable(connection: Connection, name: string): Promise<boolean> {
  return (await connection.get(HAS_TABLE[connection.dialect.name], [name])) !== undefined;
}

const HAS_TABLE = {
  sqlite: 'SELECT 1 AS one FROM sqlite_schema WHERE name = ?',
  postgres: 'SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?',
};
