import { closeSync, openSync } from 'node:fs';
import { migrate } from './migrations/index.ts';
import {
  atLeast,
  isBusy,
  isNotADatabase,
  isUnopenable,
  OLDEST_SQLITE,
  SqliteConnection,
  type SqliteDriverName,
} from './sqlite-driver.ts';
import { StorageError } from './storage-error.ts';

/** "PARL": marks the file as ours. */
const APPLICATION_ID = 0x5041524c;

export interface SqliteConnections {
  writer: SqliteConnection;
  /** The same connection for a database in memory. */
  reader: SqliteConnection;
}

export async function openConnections(
  path: string,
  driver: SqliteDriverName,
  durability: 'full' | 'relaxed',
): Promise<SqliteConnections> {
  const inMemory = path === ':memory:';
  if (!inMemory) createPrivately(path);
  const writer = new SqliteConnection(driver, path);
  try {
    writer.pragma('busy_timeout = 20');
    refuseOldSqlite(writer);
    // Asked before anything is written: a stranger's file stays as it is.
    refuseForeignFile(writer, path);
    if (!inMemory && writer.pragma('journal_mode = WAL') !== 'wal') {
      throw new StorageError(`${path} is on a file system where SQLite cannot keep a write-ahead log.`, 'unreachable');
    }
    configure(writer);
    writer.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}; PRAGMA wal_autocheckpoint = 4000`);
    writer.exec('BEGIN IMMEDIATE');
    refuseForeignFile(writer, path);
    if (writer.pragma('application_id') === 0) writer.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    await migrate(writer, (script) => writer.exec(script), path);
    writer.exec('COMMIT');
    return { writer, reader: inMemory ? writer : openReader(driver, path) };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function openReader(driver: SqliteDriverName, path: string): SqliteConnection {
  const reader = new SqliteConnection(driver, path);
  reader.pragma('busy_timeout = 20');
  configure(reader);
  reader.exec('PRAGMA query_only = ON');
  return reader;
}

function configure(connection: SqliteConnection): void {
  connection.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000');
}

/**
 * Only a file that is not there is created here. Opening one that is would, on closing, drop the
 * locks this process holds on it through another connection.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function refuseOldSqlite(connection: SqliteConnection): void {
  const version = connection.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '0';
  if (atLeast(version, OLDEST_SQLITE)) return;
  throw new StorageError(
    `This driver brings SQLite ${version}, which can corrupt databases; ${OLDEST_SQLITE.join('.')} or newer is needed.`,
    'unsupported-engine',
  );
}

function refuseForeignFile(connection: SqliteConnection, path: string): void {
  const id = connection.pragma('application_id');
  if (id === APPLICATION_ID) return;
  const tables = connection.get<{ n: number }>('SELECT COUNT(*) AS n FROM sqlite_schema')?.n ?? 0;
  if (id !== 0 || tables > 0) {
    throw new StorageError(`${path} is a database of another application.`, 'foreign-application');
  }
}

/** The operator's view of what went wrong with the file; other errors stay as they are. */
export function explain(error: unknown, path: string): unknown {
  if (isNotADatabase(error)) {
    return new StorageError(`${path} is not a database.`, 'not-a-database', { cause: error });
  }
  if (isBusy(error)) {
    return new StorageError(`${path} is locked by another process.`, 'busy', { cause: error });
  }
  const { code, message } = error as { code?: string; message?: string };
  if (isUnopenable(error) || ['ENOENT', 'EACCES', 'ENOTDIR', 'EISDIR', 'EPERM', 'EROFS'].includes(code ?? '')) {
    return new StorageError(`${path} cannot be opened: ${message}.`, 'unreachable', { cause: error });
  }
  return error;
}
