import { existsSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storedAt } from '../domains/uploads/stored-file.ts';
import { VERSION } from '../kernel/version.ts';
import type { FileStore } from '../ports/files.ts';
import { addRows, countOf, hasTable, slicesOf } from '../storage/keeping/copy.ts';
import type { Keepable } from '../storage/keeping/keepable.ts';
import { ENDING, lastGiven, schemaOf, type Table, tablesOf } from '../storage/keeping/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { sqliteDialect } from '../storage/sql/dialect.ts';
import { explain } from '../storage/sqlite/errors.ts';
import { sync } from '../storage/sqlite/keeping.ts';
import { withPartial } from '../storage/sqlite/partial.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type BackedUpFiles, BackupFile, isBackup, type Manifest } from './backup-file.ts';

/** How far a backup or a restoration has come. */
export interface KeepingStep {
  /** Name of a table, `files`, `verifying`, or the migration that a restoration fills, such as `search index`. */
  what: string;
  /** How much of it is done: rows of a table, bytes of files. */
  done: number;
  /** How much there is, in the same unit; absent where it is not known. */
  total?: number;
}

/** What is backed up, and what is told meanwhile. */
export interface BackUpOptions {
  /** Where uploaded files are, to have them in the backup. Default: they are not in it. */
  files?: FileStore | undefined;
  /** Replaces a backup that is there; files of other kinds, such as the database, never. Default false. */
  replace?: boolean;
  /** Called as it goes on, for whoever shows how far it is. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Copies an organization into one file, while servers go on with it: one snapshot of the database, then the uploaded
 * files it knows. What is made is read once more and compared before it gets its name; where anything goes wrong,
 * nothing is left of it, and what a process left that was killed goes with the next backup into the folder. Resolves to
 * what the backup says of itself.
 * @throws StorageError `busy` where the file exists and may not be replaced, `foreign-application` where it is no
 *   backup; `empty` where there is no organization; what else keeps the database from being read or the file written
 */
export async function backUp(storage: Keepable, path: string, options: BackUpOptions = {}): Promise<Manifest> {
  try {
    if (!options.replace) checkFree(path);
    else if (existsSync(path) && !isBackup(path)) throw noBackup(path);
    return await withPartial(path, async (partial) => {
      const manifest = await fill(partial, storage, options);
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

async function fill(partial: string, storage: Keepable, options: BackUpOptions): Promise<Manifest> {
  const file = BackupFile.create(partial);
  try {
    const described = await storage.inspect((from, version) => copyTables(from, version, file, options));
    const files = await copyFiles(file, described.version, options);
    const manifest = { ...described, files };
    file.manifest = manifest;
    return manifest;
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
  // Whoever keeps a place in the log is told what is missing.
  if (tables.some(({ name }) => name === 'event_log')) into.exec(NOTE_LEFT_OUT);
  into.exec('COMMIT');
  const { name: engine } = from.dialect;
  return { made_ms, made_by: VERSION, engine, version, organization: organization.name, tables };
}

/** @throws StorageError where not all that was counted arrived */
export async function copyTable(
  from: Connection,
  into: Connection,
  table: Table,
  { condition, onStep }: { condition?: string | undefined } & Pick<BackUpOptions, 'onStep'>,
): Promise<number> {
  if (!(await hasTable(from, table.name))) return 0;
  const total = await countOf(from, table, condition);
  let done = 0;
  for await (const rows of slicesOf(from, table, condition)) {
    await addRows(into, table, rows);
    done += rows.length;
    onStep?.({ what: table.name, done, total });
  }
  if (done !== total) throw new StorageError(`Of ${total} rows of ${table.name}, ${done} could be read.`, 'io');
  return total;
}

async function copyFiles(file: BackupFile, version: number, { files, onStep }: BackUpOptions): Promise<BackedUpFiles> {
  const isThere = tablesOf(migrations.filter((each) => each.version <= version)).some(({ name }) => name === 'uploads');
  const uploads = isThere
    ? file.connection.all<{ file_key: string; size: number }>(
        'SELECT file_key, size FROM uploads WHERE is_complete = 1 ORDER BY id',
      )
    : [];
  const total = uploads.reduce((sum, { size }) => sum + size, 0);
  if (!files) return { included: uploads.length === 0, count: 0, bytes: 0, missing: [] };
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
  return found;
}

function checkFree(path: string): void {
  if (existsSync(path)) throw taken(path);
}

const noBackup = (path: string) =>
  new StorageError(`${path} is there and no backup: it is not replaced.`, 'foreign-application');

const taken = (path: string) => new StorageError(`${path} exists already.`, 'busy');

/** Never over a file that somebody made meanwhile. */
async function nameAnew(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path);
    // Some file systems know no second names.
    checkFree(path);
    await rename(partial, path);
  }
}
