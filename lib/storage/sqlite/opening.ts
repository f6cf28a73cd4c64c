import { closeSync, openSync } from 'node:fs';
import { migrate } from '../migrations/index.ts';
import { StorageError } from '../storage-error.ts';
import { SqliteConnection } from './connection.ts';
import { atLeast, OLDEST_SQLITE, type SqliteDriverName } from './driver.ts';

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
  const version = String(connection.value('SELECT sqlite_version()'));
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
