import { createRequire } from 'node:module';
import type { SqlValue } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';

/** The package `better-sqlite3`, or the SQLite that Node brings. */
export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite';

/** What the two drivers have in common. */
export interface Handle {
  exec(script: string): unknown;
  prepare(text: string): HandleStatement;
  close(): unknown;
}

export interface HandleStatement {
  run(...params: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...params: SqlValue[]): unknown;
  all(...params: SqlValue[]): unknown[];
  /** better-sqlite3 alone: whether the statement returns rows, and a switch for rows as lists of values. */
  readonly reader?: boolean;
  raw?(): unknown;
  /** node:sqlite alone: a switch for rows as lists of values. A SQLite too old to have it is refused. */
  setReturnArrays?(enabled: boolean): void;
  columns?(): { name: string }[];
}

const require = createRequire(import.meta.url);

let chosen: SqliteDriverName | undefined;

/**
 * The driver for a file opened without naming one. better-sqlite3 up to Node 22, where it is there. From Node 24 on the
 * SQLite that Node brings, as soon as it is new enough: better-sqlite3 12 ends the process there when a statement is
 * collected, and 13 does not run on Node 20, so no one version of the package serves all three.
 */
export function defaultDriver(): SqliteDriverName {
  chosen ??=
    hasOwnSqlite() && (atLeast(process.versions.node, [24]) || !hasPackage()) ? 'node:sqlite' : 'better-sqlite3';
  return chosen;
}

/** Whether this Node brings a SQLite that is new enough. */
const hasOwnSqlite = () => atLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE);

/** Whether better-sqlite3 is installed, and its native part with it. */
function hasPackage(): boolean {
  try {
    loadDriver('better-sqlite3');
    return true;
  } catch {
    return false;
  }
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

/** Where a thread finds the driver, which would look for it from another place. */
export function moduleOf(driver: SqliteDriverName): string {
  return driver === 'node:sqlite' ? driver : require.resolve(driver);
}

export function openHandle(driver: SqliteDriverName, path: string): Handle {
  return new (loadDriver(driver))(path);
}

type Driver = new (path: string) => Handle;

const loaded = new Map<SqliteDriverName, Driver>();

/** Throws where the driver cannot be loaded, or brings a SQLite that is too old; touches no file. */
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
    `This driver brings SQLite ${version}, which can corrupt databases; ${OLDEST_SQLITE.join('.')} or newer is needed.`,
    'unsupported-engine',
  );
}

/** Asked of a database in memory: the package loads its native part with the first one. */
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
    return `This Node (${version}) has no node:sqlite; use the driver better-sqlite3, or Node 22.13 or newer.`;
  }
  const other = hasOwnSqlite() ? 'choose the driver node:sqlite' : 'use Node 24 or newer, which brings SQLite';
  return `The package better-sqlite3 cannot be loaded by this Node (${version}); install it anew and let its install script run, or ${other}.`;
}
