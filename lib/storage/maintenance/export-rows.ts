import { setImmediate as nextTurn } from 'node:timers/promises';
import { present } from '../../base/present.ts';
import type { ExportRow, ExportScope, ExportSource, ExportTable } from '../interface/export.ts';
import { migrations } from '../migrations/index.ts';
import type { Connection, SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { EXPORTED, type ExportRule, PartialScope } from './exported-tables.ts';
import { asTheyCome, type Column, countOf, lastGiven, type Table, tablesOf, type Values } from './tables.ts';

const ROWS_PER_READ = 1_000;
/** Rows of tables with pictures. */
const PICTURES_PER_READ = 20;

/** The columns of a table that exports contain. */
export const exportedColumns = ({ columns }: Table, { without = {} }: ExportRule): Column[] =>
  columns.filter(({ name }) => !(name in without));

/** The tables that a full export of a schema contains, with their rules, in the order of `EXPORTED`. */
export function exportedTables(schema: number): { table: Table; rule: ExportRule }[] {
  const tables = new Map(
    tablesOf(migrations.filter(({ version }) => version <= schema)).map((table) => [table.name, table]),
  );
  return Object.entries(EXPORTED).flatMap(([name, rule]) => {
    const table = tables.get(name);
    return table ? [{ table, rule }] : [];
  });
}

/**
 * The rows of a scope in one snapshot.
 * @throws StorageError `empty` without an organization, `older-version` if a migration has not finished
 */
export async function exportSource(connection: Connection, schema: number, scope: ExportScope): Promise<ExportSource> {
  const organization = await connection.get<{ name: string; uuid: string }>('SELECT name, uuid FROM organization');
  if (!organization) throw new StorageError('There is no organization in this database yet.', 'empty');
  if ((await countOf(connection, 'unfinished_fills')) > 0)
    throw new StorageError('A migration of the database has not finished.', 'older-version');
  const partial = scope === 'full' ? undefined : new PartialScope(scope);
  const isForPerson = partial?.person !== undefined;
  const wanted = exportedTables(schema).filter(({ rule }) => isForPerson || !rule.isOnlyForPerson);
  const owners = await ownersIn(connection, partial);
  const condition = (rule: ExportRule) => (partial ? rule.rows(partial) : '1 = 1');
  return {
    schema,
    organization,
    tables: wanted.map(({ table, rule }): ExportTable => {
      const shape = new RowShape(table, rule, partial && { partial, owners });
      return {
        name: table.name,
        is: rule.is,
        slices: () =>
          partial && table.counted
            ? windows(connection, table, { shape, condition: condition(rule) })
            : slices(connection, table, { shape, condition: condition(rule) }),
        lastId: async () => (table.counted && !partial ? lastGiven(connection, table) : undefined),
      };
    }),
  };
}

async function ownersIn(connection: Connection, partial: PartialScope | undefined): Promise<ReadonlySet<number>> {
  if (!partial || partial.scope === 'public') return new Set();
  return new Set(await connection.column(`SELECT id FROM users WHERE ${partial.owns('id')}`));
}

/** Users who hide their address from everybody, also from administrators. */
const NOBODY = 4;

/** Converts the values of a row. */
class RowShape {
  readonly columns: readonly string[];
  readonly #kinds: readonly ('json' | 'flag' | 'plain')[];
  readonly #others: ReadonlySet<string> | undefined;

  constructor(
    table: Table,
    private readonly rule: ExportRule,
    private readonly given: { partial: PartialScope; owners: ReadonlySet<number> } | undefined,
  ) {
    this.columns = exportedColumns(table, rule).map((column) => column.name);
    const { json = [], flags = [] } = rule;
    this.#kinds = this.columns.map((column) =>
      json.includes(column) ? 'json' : flags.includes(column) ? 'flag' : 'plain',
    );
    this.#others = given && rule.ofOthers && new Set(rule.ofOthers.columns(given.partial));
  }

  row(values: Values): ExportRow {
    const row = Object.fromEntries(
      this.columns.map((column, at) => [column, this.#value(at, values[at] as SqlValue)] as const),
    );
    return this.#others ? this.#withoutPrivate(row, this.#others) : row;
  }

  #value(at: number, value: SqlValue): unknown {
    if (value === null) return null;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    switch (this.#kinds[at]) {
      case 'json':
        return JSON.parse(String(value));
      case 'flag':
        return value !== 0;
      default:
        return value;
    }
  }

  #withoutPrivate(row: ExportRow, columns: ReadonlySet<string>): ExportRow {
    const owner = this.rule.ofOthers?.owner;
    if (owner !== undefined && this.given?.owners.has(Number(row[owner]))) return row;
    const isHidden = (column: string) =>
      !columns.has(column) || (column === 'delivery_email' && row.email_visibility === NOBODY);
    return Object.fromEntries(Object.entries(row).filter(([column]) => !isHidden(column)));
  }
}

/** In the order of the keys, which is the same on both engines. */
async function* slices(
  connection: Connection,
  { name, columns, key }: Table,
  { shape, condition }: { shape: RowShape; condition: string },
): AsyncGenerator<ExportRow[]> {
  const isPostgres = connection.dialect.name === 'postgres';
  const typeOf = (column: string) => columns.find((each) => each.name === column)?.type;
  const keyed = key.map((column) => (isPostgres && typeOf(column) === 'TEXT' ? `${column} COLLATE "C"` : column));
  const limit = columns.some(({ type }) => type === 'BLOB') ? PICTURES_PER_READ : ROWS_PER_READ;
  // The key follows the exported columns: it may not be one of them.
  const select = `SELECT ${[...shape.columns, ...key].join(', ')} FROM ${name} WHERE (${condition})`;
  const order = `ORDER BY ${keyed.join(', ')} LIMIT ?`;
  const after = `AND (${keyed.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  let rows = await connection.many(asTheyCome, `${select} ${order}`, [limit], { once: true });
  while (rows.length > 0) {
    yield rows.map((values) => shape.row(values));
    if (rows.length < limit) return;
    await nextTurn();
    const reached = present(rows.at(-1)).slice(shape.columns.length);
    rows = await connection.many(asTheyCome, `${select} ${after} ${order}`, [...reached, limit], { once: true });
  }
}

/**
 * The same for a part of the rows, which may be few in a large table. A search for the next of them could read the whole
 * table in one statement, and SQLite would block the process.
 */
async function* windows(
  connection: Connection,
  { name, counted }: Table,
  { shape, condition }: { shape: RowShape; condition: string },
): AsyncGenerator<ExportRow[]> {
  const last = (await connection.value(`SELECT MAX(${counted}) AS last FROM ${name}`)) ?? 0;
  const select = `SELECT ${shape.columns.join(', ')} FROM ${name}
    WHERE ${counted} > ? AND ${counted} <= ? AND (${condition}) ORDER BY ${counted}`;
  for (let from = 0; from < last; from += ROWS_PER_READ) {
    const rows = await connection.many(asTheyCome, select, [from, from + ROWS_PER_READ], { once: true });
    if (rows.length > 0) yield rows.map((values) => shape.row(values));
    await nextTurn();
  }
}
