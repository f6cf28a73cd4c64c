import { createRequire } from 'node:module';
import type { Connection, Row, SqlValue } from './sql/connection.ts';
import { sqliteDialect } from './sql/dialect.ts';
import { StorageError } from './storage-error.ts';

export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite';

/** What the two drivers have in common. */
interface Handle {
  exec(script: string): unknown;
  prepare(text: string): HandleStatement;
  close(): unknown;
}

interface HandleStatement {
  run(...params: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...params: SqlValue[]): unknown;
  all(...params: SqlValue[]): unknown[];
  /** better-sqlite3 alone: whether the statement returns rows, their columns, and rows as lists of values. */
  readonly reader?: boolean;
  columns?(): { name: string }[];
  raw?(): unknown;
}

interface Prepared {
  statement: HandleStatement;
  /** How many values the text takes: one driver would fill in NULL for what is missing. */
  size: number;
  /** Names of the columns where rows come as lists: the driver takes longer to make objects than we do. */
  columns: readonly string[] | undefined;
  writes: boolean;
}

const require = createRequire(import.meta.url);

/**
 * The driver for a file opened without naming one. better-sqlite3 up to Node 22. From Node 24 on the SQLite
 * that Node brings, as soon as it is new enough: better-sqlite3 12 ends the process there when a statement is
 * collected, and 13 does not run on Node 20, so no one version of the package serves all three.
 */
export function defaultDriver(): SqliteDriverName {
  return atLeast(process.versions.node, [24, 0]) && atLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE)
    ? 'node:sqlite'
    : 'better-sqlite3';
}

/** SQLite before this one can corrupt the file when the write-ahead log is reset. */
export const OLDEST_SQLITE = [3, 51, 3] as const;

/** Whether a version in digits and dots is this one or a later one. */
export function atLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [at, wanted] of least.entries()) {
    const part = parts[at] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Some versions of the package end the process instead of failing: they are not let near it. */
function refuseUnsoundPackage(): void {
  const { version } = require('better-sqlite3/package.json') as { version: string };
  const isNew = atLeast(version, [13]);
  const { node } = process.versions;
  if (isNew ? atLeast(node, [22]) : !atLeast(node, [24, 19])) return;
  const cure = isNew ? 'install better-sqlite3 12' : 'choose the driver node:sqlite, or install better-sqlite3 13';
  throw new StorageError(`better-sqlite3 ${version} crashes on Node ${node}; ${cure}.`, 'unsupported-engine');
}
const NONE: readonly SqlValue[] = [];
const RETURNING = /\s+RETURNING \w+\s*$/;

function openHandle(driver: SqliteDriverName, path: string): Handle {
  try {
    if (driver === 'node:sqlite') {
      const { DatabaseSync } = require(driver) as { DatabaseSync: new (path: string) => Handle };
      return new DatabaseSync(path);
    }
    refuseUnsoundPackage();
    const Database = require(driver) as new (path: string) => Handle;
    return new Database(path);
  } catch (error) {
    if (!UNLOADABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new StorageError(ALTERNATIVES[driver], 'unsupported-engine', { cause: error });
  }
}

/** Absent, or built for another Node. */
const UNLOADABLE = new Set(['MODULE_NOT_FOUND', 'ERR_UNKNOWN_BUILTIN_MODULE', 'ERR_DLOPEN_FAILED']);
const ALTERNATIVES: Record<SqliteDriverName, string> = {
  'better-sqlite3': `The package better-sqlite3 cannot be loaded by this Node (${process.version}); install it anew, or choose the driver node:sqlite.`,
  'node:sqlite': `This Node (${process.version}) has no node:sqlite; use the driver better-sqlite3, or Node 22.13 or newer.`,
};

export class SqliteConnection implements Connection {
  readonly dialect = sqliteDialect;
  statements = 0;
  /** Statements so far that may have changed something. */
  writes = 0;
  readonly #handle: Handle;
  readonly #prepared = new Map<string, Prepared>();

  constructor(driver: SqliteDriverName, path: string) {
    this.#handle = openHandle(driver, path);
  }

  all<R = Row>(sql: string, params: readonly SqlValue[] = NONE): R[] {
    const prepared = this.#take(sql);
    const rows = prepared.statement.all(...bind(prepared, params));
    const { columns } = prepared;
    return (columns ? rows.map((values) => toRow(columns, values as SqlValue[])) : rows) as R[];
  }

  get<R = Row>(sql: string, params: readonly SqlValue[] = NONE, { once = false } = {}): R | undefined {
    const prepared = this.#take(sql, { once });
    const row = prepared.statement.get(...bind(prepared, params));
    const { columns } = prepared;
    return (columns && row !== undefined ? toRow(columns, row as SqlValue[]) : row) as R | undefined;
  }

  /** The key is known without RETURNING, for which SQLite would keep a table of its own each time. */
  insert(sql: string, params: readonly SqlValue[] = NONE): number {
    const prepared = this.#take(sql, { isInsert: true });
    return Number(prepared.statement.run(...bind(prepared, params)).lastInsertRowid);
  }

  run(sql: string, params: readonly SqlValue[] = NONE): number {
    const prepared = this.#take(sql);
    return Number(prepared.statement.run(...bind(prepared, params)).changes);
  }

  /** BEGIN, SAVEPOINT and the like: not counted among the statements of an operation. */
  control(sql: string): void {
    (this.#prepared.get(sql) ?? this.#prepare(sql)).statement.run();
  }

  /** Several statements at once, without parameters. */
  exec(script: string): void {
    this.#handle.exec(script);
  }

  /** One value of the connection or the file; not counted either. */
  pragma(name: string): SqlValue | undefined {
    const text = `PRAGMA ${name}`;
    const row = (this.#prepared.get(text) ?? this.#prepare(text)).statement.get() as Row | SqlValue[] | undefined;
    return row && Object.values(row)[0];
  }

  close(): void {
    this.#prepared.clear();
    this.#handle.close();
  }

  #take(sql: string, { isInsert = false, once = false } = {}): Prepared {
    this.statements++;
    const prepared = this.#prepared.get(sql) ?? this.#prepare(sql, { isInsert, once });
    if (prepared.writes) this.writes++;
    return prepared;
  }

  #prepare(sql: string, { isInsert = false, once = false } = {}): Prepared {
    const query = this.dialect.query(sql);
    const text = isInsert ? query.replace(RETURNING, '') : query;
    const statement = this.#handle.prepare(text);
    const writes = !/^\s*SELECT\b/.test(text);
    const prepared = { statement, size: text.split('?').length - 1, columns: asLists(statement), writes };
    if (!once) this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function asLists(statement: HandleStatement): string[] | undefined {
  if (!statement.reader || !statement.raw) return undefined;
  statement.raw();
  return statement.columns?.().map((column) => column.name);
}

function toRow(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Row = {};
  for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at] as SqlValue;
  return row;
}

function bind(prepared: Prepared, params: readonly SqlValue[]): readonly SqlValue[] {
  if (params.length !== prepared.size) {
    throw new RangeError(`A statement takes ${prepared.size} values and was given ${params.length}.`);
  }
  for (const param of params as readonly unknown[]) {
    if (param === undefined || typeof param === 'boolean') return params.map(toSqlite);
  }
  return params;
}

function toSqlite(value: unknown): SqlValue {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue);
}

const PRIMARY_CODES: Record<string, number> = {
  SQLITE_BUSY: 5,
  SQLITE_CANTOPEN: 14,
  SQLITE_CONSTRAINT: 19,
  SQLITE_NOTADB: 26,
};

/** SQLite's primary result code: one driver gives its name, the other the number. */
export function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  if (typeof code !== 'string') return undefined;
  for (const name in PRIMARY_CODES) if (code.startsWith(name)) return PRIMARY_CODES[name];
  return undefined;
}

export const isBusy = (error: unknown) => sqliteCode(error) === 5;
export const isNotADatabase = (error: unknown) => sqliteCode(error) === 26;
export const isUnopenable = (error: unknown) => sqliteCode(error) === 14;
