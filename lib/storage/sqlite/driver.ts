import { createRequire } from 'node:module';
import type { SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';

/** The package `better-sqlite3`, or the SQLite built into Node. */
export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite';

/** The common subset of both drivers. */
export interface Handle {
  exec(script: string): unknown;
  prepare(text: string): HandleStatement;
  close(): unknown;
}

export interface HandleStatement {
  run(...params: SqlValue[]): { changes: number | bigint };
  get(...params: SqlValue[]): unknown;
  all(...params: SqlValue[]): unknown[];
  /** Only better-sqlite3: whether the statement returns rows, and a switch for rows as arrays. */
  readonly reader?: boolean;
  raw?(): unknown;
  /** Only node:sqlite: a switch for rows as arrays. Versions without it are refused. */
  setReturnArrays?(enabled: boolean): void;
  columns?(): { name: string }[];
}

/** A statement after the switch: rows are the values in the order of the columns. */
export interface ListStatement extends HandleStatement {
  get(...params: SqlValue[]): SqlValue[] | undefined;
  all(...params: SqlValue[]): SqlValue[][];
}

const require = createRequire(import.meta.url);

/**
 * The default driver. better-sqlite3 up to Node 22, if installed. From Node 24 on node:sqlite, if its SQLite is new
 * enough. No version of better-sqlite3 runs on all three. On Node 24, version 12 crashes when a statement is garbage
 * collected. Version 13 does not run on Node 20.
 */
export function defaultDriver(): SqliteDriverName {
  return hasOwnSqlite() && (atLeast(process.versions.node, [24]) || !hasPackage()) ? 'node:sqlite' : 'better-sqlite3';
}

/** Whether node:sqlite is new enough. */
const hasOwnSqlite = () => atLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE);

/** Whether better-sqlite3 is installed with its native addon. */
function hasPackage(): boolean {
  try {
    loadDriver('better-sqlite3');
    return true;
  } catch {
    return false;
  }
}

/** Older versions of SQLite can corrupt the file when the write-ahead log is reset. */
export const OLDEST_SQLITE = [3, 51, 3] as const;

/** Whether a version like `3.51.3` is at least this one. */
export function atLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [at, wanted] of least.entries()) {
    const part = parts[at] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Some versions of the package crash the process instead of throwing: refuse them before loading. */
function refuseUnsoundPackage(): void {
  const { version } = require('better-sqlite3/package.json') as { version: string };
  const isNew = atLeast(version, [13]);
  const { node } = process.versions;
  if (isNew ? atLeast(node, [22]) : !atLeast(node, [24, 19])) return;
  const cure = isNew ? 'install better-sqlite3 12' : 'choose the driver node:sqlite, or install better-sqlite3 13';
  throw new StorageError(`better-sqlite3 ${version} crashes on Node ${node}: ${cure}.`, 'unsupported-engine');
}

/** Module path of the driver for a worker thread, which would resolve it from another folder. */
export function moduleOf(driver: SqliteDriverName): string {
  return driver === 'node:sqlite' ? driver : require.resolve(driver);
}

export function openHandle(driver: SqliteDriverName, path: string): Handle {
  return new (loadDriver(driver))(path);
}

type Driver = new (path: string) => Handle;

const loaded = new Map<SqliteDriverName, Driver>();

/** Throws if the driver cannot be loaded or its SQLite is too old. Opens no file. */
export function loadDriver(driver: SqliteDriverName): Driver {
  const known = loaded.get(driver);
  if (known) return known;
  const fresh = requireDriver(driver);
  loaded.set(driver, fresh);
  return fresh;
}

function requireDriver(driver: SqliteDriverName): Driver {
  let version: string;
  let found: Driver;
  try {
    if (driver === 'better-sqlite3') refuseUnsoundPackage();
    const module = require(driver);
    found = driver === 'node:sqlite' ? module.DatabaseSync : module;
    version = versionOf(found);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(unloadable(driver), 'unsupported-engine', { cause: error });
  }
  if (atLeast(version, OLDEST_SQLITE)) return found;
  throw new StorageError(
    `The driver ${driver} has SQLite ${version}, which can corrupt databases: use SQLite ${OLDEST_SQLITE.join('.')} or newer.`,
    'unsupported-engine',
  );
}

/** Opens a database in memory, since better-sqlite3 loads its native addon with the first database. */
function versionOf(Database: Driver): string {
  const database = new Database(':memory:');
  try {
    return (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version;
  } finally {
    database.close();
  }
}

function unloadable(driver: SqliteDriverName): string {
  const { version } = process;
  if (driver === 'node:sqlite') {
    return `This Node (${version}) has no node:sqlite: use the driver better-sqlite3, or Node 22.13 or newer.`;
  }
  const other = hasOwnSqlite() ? 'choose the driver node:sqlite' : 'use Node 24 or newer, which includes SQLite';
  return `This Node (${version}) cannot load the package better-sqlite3: install it again and allow its install script, or ${other}.`;
}
