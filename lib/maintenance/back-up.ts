import { existsSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileStore } from '../adapters/files.ts';
import { codeOf } from '../base/caught.ts';
import { counted } from '../base/counted.ts';
import { VERSION } from '../base/version.ts';
import { storedAt } from '../domains/uploads/stored-file.ts';
import {
  addRows,
  countOf,
  ENDING,
  type Keepable,
  lastGiven,
  schemaOf,
  slicesOf,
  type Table,
  tablesOf,
} from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { hasTable } from '../storage/migrations/migrate.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { sqliteDialect } from '../storage/sql/dialect.ts';
import { explain } from '../storage/sqlite/errors.ts';
import { sync, withPartial } from '../storage/sqlite/keeping.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type BackedUpFiles, BackupFile, isBackup, type Manifest } from './backup-file.ts';

/** Progress of a backup, restore or check. */
export interface KeepingStep {
  /** A table, `files`, `verifying`, or the name of a migration that a restore fills, for example `search index`. */
  what: string;
  /** Amount done: rows of a table, or bytes of files. */
  done: number;
  /** Total amount in the same unit. Absent if unknown. */
  total?: number;
}

/** Options of `backUp`. */
export interface BackUpOptions {
  /** The file store. An organization with uploaded files needs it, or `allowMissingFiles`. */
  files?: FileStore | undefined;
  /**
   * Make a backup that lacks uploaded files, for example because they are in a bucket. It never replaces a backup that
   * has one of them. Default false.
   */
  allowMissingFiles?: boolean;
  /** Replace an existing backup. Never replaces other files, such as a database. Default false. */
  replace?: boolean;
  /** Called repeatedly with the progress. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Copies an organization into one file: a snapshot of the database, then the uploaded files. Servers can keep running.
 * Verifies the backup before it gets its final name. Leaves nothing after a failure. The next backup into the same
 * folder removes temporary files of a killed process.
 * @param path path of the new backup
 * @throws StorageError `busy` if the file exists and `replace` is not set, or `foreign-application` if it is not a
 *   backup
 * @throws StorageError `empty` if there is no organization
 * @throws StorageError `files-missing` if the file store lacks uploaded files, or none is given
 * @throws StorageError with other codes if reading the database or writing the file fails
 * @example await backUp(sqlite('chat.db'), 'chat.backup', { files: localFiles('chat.db-uploads') });
 */
export async function backUp(storage: Keepable, path: string, options: BackUpOptions = {}): Promise<Manifest> {
  try {
    if (!options.replace) checkFree(path);
    else if (existsSync(path) && !isBackup(path))
      throw new StorageError(`${path} exists and is not a backup.`, 'foreign-application');
    return await withPartial(path, async (partial) => {
      const { manifest, missing } = await fill(partial, storage, options);
      if (missing.length > 0) checkMayLack(missing, path, options);
      options.onStep?.({ what: 'verifying', done: 0 });
      const made = BackupFile.open(partial);
      await made.verify().finally(() => made.close());
      sync(partial);
      if (options.replace) await rename(partial, path);
      else await nameAnew(partial, path);
      if (process.platform !== 'win32') sync(dirname(path));
      return manifest;
    });
  } catch (error) {
    throw explain(error, path);
  }
}

/** `missing`: the keys of uploaded files that are not in the backup. */
async function fill(
  partial: string,
  storage: Keepable,
  options: BackUpOptions,
): Promise<{ manifest: Manifest; missing: string[] }> {
  const file = BackupFile.create(partial);
  try {
    const described = await storage.inspect((from, version) => copyTables(from, version, file, options));
    const { files, missing } = await copyFiles(file, described.version, options);
    const manifest = { ...described, files };
    file.manifest = manifest;
    return { manifest, missing: missing.length === 0 ? [] : await stillStored(storage, missing) };
  } finally {
    file.close();
  }
}

const NOTE_LEFT_OUT = `
  UPDATE event_log SET trimmed_to = newest.seq - 1 FROM (SELECT MAX(seq) AS seq FROM events) AS newest
  WHERE newest.seq > trimmed_to`;

async function copyTables(
  from: Connection,
  version: number,
  file: BackupFile,
  { onStep }: BackUpOptions,
): Promise<Omit<Manifest, 'files'>> {
  const made_ms = Date.now();
  const organization = await from.get<{ name: string }>('SELECT name FROM organization');
  if (!organization) throw new StorageError('There is no organization in this database yet.', 'empty');
  const known = migrations.filter((migration) => migration.version <= version);
  const into = file.connection;
  into.exec('BEGIN');
  into.exec(schemaOf(known, sqliteDialect));
  const tables: Manifest['tables'] = [];
  for (const table of tablesOf(known)) {
    into.exec(`DELETE FROM ${table.name}`);
    const rows = await copyTable(from, into, table, { condition: ENDING.get(table.name), onStep });
    const last_id = table.counted ? await lastGiven(from, table) : 0;
    tables.push({ name: table.name, columns: table.columns, rows, last_id });
  }
  // Readers with a stored position must find that events are missing.
  if (tables.some(({ name }) => name === 'event_log')) into.exec(NOTE_LEFT_OUT);
  into.exec('COMMIT');
  const { name: engine } = from.dialect;
  return { made_ms, made_by: VERSION, engine, version, organization: organization.name, tables };
}

/** @throws StorageError if fewer rows were copied than counted */
export async function copyTable(
  from: Connection,
  into: Connection,
  table: Table,
  { condition, onStep }: { condition?: string | undefined } & Pick<BackUpOptions, 'onStep'>,
): Promise<number> {
  if (!(await hasTable(from, table.name))) return 0;
  const total = await countOf(from, table.name, condition);
  let done = 0;
  for await (const rows of slicesOf(from, table, condition)) {
    await addRows(into, table, rows);
    done += rows.length;
    onStep?.({ what: table.name, done, total });
  }
  if (done !== total) throw new StorageError(`Only ${done} of ${total} rows of ${table.name} were readable.`, 'io');
  return total;
}

/** Without the files that users have removed since the snapshot. */
export async function stillStored(storage: Keepable, keys: readonly string[]): Promise<string[]> {
  const rows = await storage.inspect(async (connection) =>
    connection.all<{ file_key: string }>('SELECT file_key FROM uploads WHERE is_complete = 1'),
  );
  const stored = new Set(rows.map((upload) => storedAt(upload)));
  return keys.filter((key) => stored.has(key));
}

/** @throws StorageError unless the backup may lack these files, and takes the place of no backup that has them */
function checkMayLack(missing: readonly string[], path: string, options: BackUpOptions): void {
  const what = counted(missing.length, 'uploaded file');
  const are = missing.length === 1 ? 'is' : 'are';
  if (!options.allowMissingFiles)
    throw new StorageError(
      options.files
        ? `The file store lacks ${what}, such as ${missing[0]}. There is no new backup.`
        : `There ${are} ${what}, but no file store. There is no new backup.`,
      'files-missing',
    );
  const kept = options.replace && existsSync(path) ? filesIn(path) : new Set();
  const lost = missing.filter((key) => kept.has(key));
  if (lost.length > 0)
    throw new StorageError(
      `${path} has ${counted(lost.length, 'uploaded file')} that a new backup would lack. It stays, and there is no new backup.`,
      'files-missing',
    );
}

/** The keys of the uploaded files in a backup. Empty if it is damaged. */
function filesIn(path: string): Set<string> {
  try {
    const file = BackupFile.open(path);
    try {
      return new Set(file.files().map(({ key }) => key));
    } finally {
      file.close();
    }
  } catch {
    return new Set();
  }
}

async function copyFiles(
  file: BackupFile,
  version: number,
  { files, onStep }: BackUpOptions,
): Promise<{ files: BackedUpFiles; missing: string[] }> {
  const isThere = tablesOf(migrations.filter((each) => each.version <= version)).some(({ name }) => name === 'uploads');
  const uploads = isThere
    ? file.connection.all<{ file_key: string; size: number }>(
        'SELECT file_key, size FROM uploads WHERE is_complete = 1 ORDER BY id',
      )
    : [];
  const total = uploads.reduce((sum, { size }) => sum + size, 0);
  if (!files)
    return {
      files: { included: uploads.length === 0, count: 0, bytes: 0, missing: [] },
      missing: uploads.map((upload) => storedAt(upload)),
    };
  const found: BackedUpFiles = { included: true, count: 0, bytes: 0, missing: [] };
  for (const upload of uploads) {
    const key = storedAt(upload);
    const content = await files.read(key);
    if (content) {
      found.bytes += await file.add(key, content);
      found.count++;
    } else found.missing.push(key);
    onStep?.({ what: 'files', done: found.bytes, total });
  }
  return { files: found, missing: found.missing };
}

export function checkFree(path: string): void {
  if (existsSync(path)) throw taken(path);
}

const taken = (path: string) => new StorageError(`${path} exists already.`, 'busy');

/** `link` fails if the file exists now, where `rename` would replace it. */
export async function nameAnew(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(path);
    // Some file systems have no hard links.
    checkFree(path);
    await rename(partial, path);
  }
}
