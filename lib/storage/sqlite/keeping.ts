import { closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { copyFile, link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RefillOptions } from '../keeping/keepable.ts';
import { schemaOf, tablesOf } from '../keeping/tables.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import type { Connection } from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';
import { SqliteConnection } from './connection.ts';
import type { SqliteDriverName } from './driver.ts';
import { isBusy } from './errors.ts';
import {
  APPLICATION_ID,
  checkExists,
  checkNotNewer,
  READER_SETUP,
  refuseEmptyFile,
  refuseForeignFile,
} from './opening.ts';
import { withPartial } from './partial.ts';

interface Place {
  path: string;
  driver: SqliteDriverName;
  known: readonly Migration[];
}

export async function inspectFile<T>(
  { path, driver, known }: Place,
  work: (connection: Connection, version: number) => Promise<T>,
): Promise<T> {
  checkExists(path);
  const connection = new SqliteConnection(driver, path, newestOf(known));
  try {
    connection.exec('PRAGMA busy_timeout = 10000');
    refuseForeignFile(connection, path);
    refuseEmptyFile(connection, path);
    connection.exec(READER_SETUP);
    connection.control('BEGIN');
    return await work(connection, checkNotNewer(connection, path, known));
  } finally {
    connection.close();
  }
}

/** Into a file beside it, which then takes its place: at each moment there is one or the other. */
export async function refillFile<T>(
  { path, driver, known }: Place,
  { version, checkReplaceable, onSetAside }: RefillOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const before = existsSync(path) ? lockAlone(path, driver) : undefined;
  let isHeld = before !== undefined;
  const letGo = () => {
    if (isHeld) before?.close();
    isHeld = false;
  };
  try {
    const name = before && organizationIn(before, path);
    if (name !== undefined) checkReplaceable(name);
    return await withPartial(path, async (partial) => {
      const applied = known.filter((each) => each.version <= version);
      const result = await makeFile(partial, driver, applied, work);
      sync(partial);
      if (before) {
        const aside = `${path}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
        makeWhole(before, path);
        await nameAgain(path, aside);
        onSetAside?.(aside);
        // Elsewhere nobody gets at it before it has gone; Windows renames nothing over a file that is open.
        if (process.platform === 'win32') letGo();
      }
      await rename(partial, path);
      // Windows cannot open folders, and keeps their entries by itself.
      if (process.platform !== 'win32') sync(dirname(path));
      return result;
    });
  } finally {
    letGo();
  }
}

/** Everything into the file itself: a log beside it would be taken for that of the file that comes in its place. */
function makeWhole(connection: SqliteConnection, path: string): void {
  connection.exec('COMMIT');
  if (connection.pragma('journal_mode = DELETE') !== 'delete')
    throw new StorageError(`${path} is in use: its log cannot be closed.`, 'busy');
}

/** A second name for a file, or a copy where a file system knows no second names. */
async function nameAgain(path: string, name: string): Promise<void> {
  try {
    await link(path, name);
  } catch {
    await copyFile(path, name, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    sync(name);
  }
}

/** The only connection to the file there is; until it is closed nobody else gets one. */
function lockAlone(path: string, driver: SqliteDriverName): SqliteConnection {
  const connection = new SqliteConnection(driver, path);
  try {
    refuseForeignFile(connection, path);
    // Whoever has the file open holds a lock on it all the time, also when idle.
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    throw new StorageError(`${path} is in use: a server or another command has it open.`, 'busy', { cause: error });
  }
}

function organizationIn(connection: SqliteConnection, path: string): string | undefined {
  refuseForeignFile(connection, path);
  const found = connection.get('SELECT 1 AS one FROM sqlite_schema WHERE name = ?', ['organization']);
  return found && connection.get<{ name: string }>('SELECT name FROM organization')?.name;
}

async function makeFile<T>(
  path: string,
  driver: SqliteDriverName,
  known: readonly Migration[],
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  closeSync(openSync(path, 'wx', 0o600));
  const connection = new SqliteConnection(driver, path, newestOf(known));
  try {
    // It is given its name once it is whole: until then a crash loses nothing.
    connection.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN`);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    // No number is given twice, so that none is given to somebody who comes later than the copy was made.
    connection.exec(schemaOf(known, sqliteDialect, { countedOnce: true }));
    for (const { name } of tablesOf(known)) connection.exec(`DELETE FROM ${name}`);
    const result = await work(connection);
    connection.exec('COMMIT');
    checkReferences(connection, path);
    return result;
  } finally {
    connection.close();
  }
}

function checkReferences(connection: SqliteConnection, path: string): void {
  const broken = connection.get<{ table: string; parent: string }>(
    'SELECT "table", parent FROM pragma_foreign_key_check',
  );
  if (broken)
    throw new StorageError(
      `${path}: a row of ${broken.table} refers to one of ${broken.parent} that is not there.`,
      'io',
    );
}

/** Resolves once it survives a loss of power. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
