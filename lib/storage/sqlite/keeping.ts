import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../base/caught.ts';
import { type ChangeOptions, type RefillOptions, schemaOf, tablesOf } from '../maintenance/tables.ts';
import { checkKnown } from '../migrations/migrate.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import type { Connection } from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';
import { SqliteConnection } from './connection.ts';
import { defaultDriver, type SqliteDriverName } from './driver.ts';
import { isBusy } from './errors.ts';
import { APPLICATION_ID, checkExists, READER_SETUP, refuseEmptyFile, refuseForeignFile } from './opening.ts';

interface FileLocation {
  path: string;
  driver: SqliteDriverName;
  known: readonly Migration[];
}

export async function inspectFile<T>(
  { path, driver, known }: FileLocation,
  work: (connection: Connection, version: number) => Promise<T>,
  { isOfAnyVersion = false }: { isOfAnyVersion?: boolean } = {},
): Promise<T> {
  checkExists(path);
  const connection = SqliteConnection.open(driver, path, newestOf(known));
  try {
    connection.exec('PRAGMA busy_timeout = 10000');
    refuseForeignFile(connection, path);
    refuseEmptyFile(connection, path);
    connection.exec(READER_SETUP);
    connection.control('BEGIN');
    const version = Number(connection.scalar('SELECT MAX(version) FROM migrations'));
    if (!isOfAnyVersion) checkKnown(version, known, path);
    return await work(connection, version);
  } finally {
    connection.close();
  }
}

export async function changeFile<T>(
  { path, driver, known }: FileLocation,
  work: (connection: Connection) => Promise<T>,
  { ignoresReferences = false }: ChangeOptions = {},
): Promise<T> {
  checkExists(path);
  const connection = SqliteConnection.open(driver, path, newestOf(known));
  try {
    refuseForeignFile(connection, path);
    refuseEmptyFile(connection, path);
    connection.exec(`PRAGMA busy_timeout = 20; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ${ignoresReferences ? 'OFF' : 'ON'}`);
    await connection.beginWriting();
    const result = await work(connection);
    connection.control('COMMIT');
    return result;
  } finally {
    // Rolls back unless committed.
    connection.close();
  }
}

export async function checkFileReferences({ path, driver }: FileLocation): Promise<void> {
  const connection = SqliteConnection.open(driver, path);
  try {
    checkReferences(connection, path);
  } finally {
    connection.close();
  }
}

/** Fills a new file and renames it over the old one, so that there always is one of them. */
export async function refillFile<T>(
  { path, driver, known }: FileLocation,
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
      const aside = `${path}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
      if (before) {
        makeWhole(before, path);
        await nameAgain(path, aside);
        onSetAside?.(aside);
        // Windows cannot rename over an open file. Elsewhere the lock is kept until the old file is replaced.
        if (process.platform === 'win32') letGo();
      } else {
        // Logs of a database that was moved away or deleted. SQLite would apply them to the new file.
        for (const log of ['-wal', '-journal']) if (existsSync(path + log)) await rename(path + log, aside + log);
      }
      await rename(partial, path);
      // Windows cannot open folders and needs no fsync of them.
      if (process.platform !== 'win32') sync(dirname(path));
      return result;
    });
  } finally {
    letGo();
  }
}

/** Moves the write-ahead log into the file. A leftover log would be applied to the new file. */
function makeWhole(connection: SqliteConnection, path: string): void {
  connection.exec('COMMIT');
  if (connection.pragma('journal_mode = DELETE') !== 'delete')
    throw new StorageError(
      `${path} is in use: its write-ahead log cannot be closed. Stop all servers and commands that use it.`,
      'busy',
    );
}

/** A hard link, or a copy if the file system has no hard links. */
async function nameAgain(path: string, name: string): Promise<void> {
  try {
    await link(path, name);
  } catch {
    await copyFile(path, name, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    sync(name);
  }
}

/** Opens the file exclusively: no other connection is open, and none can be opened until this one is closed. */
function lockAlone(path: string, driver: SqliteDriverName): SqliteConnection {
  const connection = SqliteConnection.open(driver, path);
  try {
    refuseForeignFile(connection, path);
    // Every open connection holds a lock on a WAL file, even when idle.
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
  const isOurs = connection.scalar("SELECT 1 FROM sqlite_schema WHERE name = 'organization'") !== undefined;
  return isOurs ? connection.get<{ name: string }>('SELECT name FROM organization')?.name : undefined;
}

async function makeFile<T>(
  path: string,
  driver: SqliteDriverName,
  known: readonly Migration[],
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  closeSync(openSync(path, 'wx', 0o600));
  const connection = SqliteConnection.open(driver, path, newestOf(known));
  try {
    // No fsync: the file gets its name only when it is complete.
    connection.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN`);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    // AUTOINCREMENT everywhere, so that IDs assigned after the backup are never used again.
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
      `${path}: a row of ${broken.table} refers to a row of ${broken.parent} that does not exist.`,
      'io',
    );
}

/** fsync of a file or folder. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Contains the ID of the process and a random number. */
const NAME = /\.(\d+)-[0-9a-f]{12}\.partial$/;

/** Partial files of this process. */
const making = new Set<string>();

/**
 * Creates an SQLite file under a temporary name in the same folder. `make` must rename it when it is complete. Before,
 * removes temporary files of killed processes from that folder.
 */
export async function withPartial<T>(path: string, make: (partial: string) => Promise<T>): Promise<T> {
  await clearAbandoned(dirname(path));
  const partial = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.partial`;
  making.add(partial);
  try {
    return await make(partial);
  } finally {
    for (const end of ['', '-journal']) await rm(partial + end, { force: true });
    making.delete(partial);
  }
}

/** Ignores errors: files that cannot be removed stay. */
async function clearAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const maker = NAME.exec(name)?.[1];
    const partial = join(folder, name);
    if (maker === undefined || isMade(partial, Number(maker)) || isLocked(partial)) continue;
    await rm(partial, { force: true }).catch(() => undefined);
  }
}

function isMade(partial: string, maker: number): boolean {
  if (maker === process.pid) return making.has(partial);
  try {
    return process.kill(maker, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether a process of another container or machine is writing it: its process ID means nothing here. */
function isLocked(partial: string): boolean {
  let connection: SqliteConnection | undefined;
  try {
    connection = SqliteConnection.open(defaultDriver(), partial);
    connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // A truncated file is not in use.
    return isBusy(error);
  } finally {
    connection?.close();
  }
}
