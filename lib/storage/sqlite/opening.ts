import { closeSync, existsSync, openSync } from 'node:fs';
import { codeOf } from '../../base/caught.ts';
import type { OpenOptions } from '../interface/storage.ts';
import { migrate, type Unopened } from '../migrations/migrate.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import { StorageError } from '../storage-error.ts';
import { SqliteConnection } from './connection.ts';
import { loadDriver, type SqliteDriverName } from './driver.ts';

/** "PARL": marks the file as ours. */
export const APPLICATION_ID = 0x5041524c;
/** "PARB": a backup, so that it is not opened as a database by mistake. */
export const BACKUP_ID = 0x50415242;

interface ConnectionOptions {
  driver: SqliteDriverName;
  durability: 'full' | 'relaxed';
  footprint: 'normal' | 'small';
}

/** Opens the connections of a file. In memory, or with a small footprint, `reader` is the same as `writer`. */
export async function openConnections(
  path: string,
  { driver, durability, footprint }: ConnectionOptions,
  known: readonly Migration[],
  options: OpenOptions,
) {
  const inMemory = path === ':memory:';
  // Before the file is created: a failure would leave an empty file.
  loadDriver(driver);
  if (options.migrate === false) checkExists(path);
  else if (!inMemory) createPrivately(path);
  const newest = newestOf(known);
  const writer = SqliteConnection.open(driver, path, newest);
  try {
    writer.pragma('busy_timeout = 20');
    // Before any write: a file of another application must not change.
    refuseForeignFile(writer, path);
    if (options.migrate === false) refuseEmptyFile(writer, path);
    if (!inMemory && writer.pragma('journal_mode = WAL') !== 'wal') {
      throw new StorageError(
        `${path} is on a file system that does not support the write-ahead log of SQLite. Use a local disk.`,
        'unreachable',
      );
    }
    writer.exec(SETUP);
    // A deleted text must not stay in the free space of the file.
    writer.exec('PRAGMA secure_delete = ON');
    writer.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}; PRAGMA wal_autocheckpoint = 4000`);
    await migrate(unopened(writer, path), known, options);
    if (footprint === 'small') writer.exec('PRAGMA cache_size = -2000');
    if (inMemory || footprint === 'small') return { writer, reader: writer };
    const reader = SqliteConnection.open(driver, path, newest);
    reader.exec(READER_SETUP);
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function unopened(writer: SqliteConnection, path: string): Unopened {
  return {
    connection: writer,
    place: path,
    exec: (script) => writer.exec(script),
    look: (work) => work(),
    async change(work) {
      await writer.beginWriting();
      try {
        refuseForeignFile(writer, path);
        if (writer.pragma('application_id') === 0) writer.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
        const result = await work();
        writer.control('COMMIT');
        return result;
      } catch (error) {
        writer.rollBack();
        throw error;
      }
    },
  };
}

const SETUP = 'PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000';
/** Setup of connections that only read. */
export const READER_SETUP = `PRAGMA busy_timeout = 20; ${SETUP}; PRAGMA query_only = ON`;

/**
 * Creates only missing files ('wx'). Opening and closing an existing file would release the POSIX locks that this
 * process holds on it through another connection.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Drivers would create a missing file. */
export function checkExists(path: string): void {
  if (path === ':memory:' || existsSync(path)) return;
  throw new StorageError(`${path} cannot be opened: there is no such file.`, 'unreachable');
}

export function refuseEmptyFile(connection: SqliteConnection, path: string): void {
  if (connection.pragma('application_id') === 0) throw new StorageError(`${path} is empty.`, 'empty');
}

export function refuseForeignFile(connection: SqliteConnection, path: string): void {
  const id = connection.pragma('application_id');
  if (id === APPLICATION_ID) return;
  if (id === BACKUP_ID) {
    throw new StorageError(`${path} is a backup. Restore it with \`chatctl restore\`.`, 'foreign-application');
  }
  const tables = Number(connection.scalar('SELECT COUNT(*) FROM sqlite_schema'));
  if (id !== 0 || tables > 0) {
    throw new StorageError(`${path} is a database of another application.`, 'foreign-application');
  }
}
