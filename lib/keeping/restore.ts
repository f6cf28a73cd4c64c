import type { FileStore } from '../ports/files.ts';
import type { Keepable } from '../storage/keeping/keepable.ts';
import { type Table, tablesOf } from '../storage/keeping/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { type Migration, newestOf } from '../storage/migrations/migration.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { StorageError } from '../storage/storage-error.ts';
import { copyTable, type KeepingStep } from './back-up.ts';
import { BackupFile, type Manifest } from './backup-file.ts';

/**
 * Numbers that are passed over, since they may have been given to somebody after the backup was made: so no account
 * gets the API key of one that is gone, and no link leads to another message.
 */
const PASSED_OVER = 10_000;
/** Of messages and all else of which there is much. */
const PASSED_OVER_OF_MUCH = 1_000_000;

/** What may be replaced, where files go, and what is told meanwhile. */
export interface RestoreOptions {
  /** Where uploaded files go; those that are there already are left. Default: the files of the backup are left out. */
  files?: FileStore | undefined;
  /** Is told the name of the organization that is there, and throws unless it may go. Not called where there is none. */
  checkReplaceable(name: string): void;
  /** Is told the path under which the replaced file of SQLite is kept. PostgreSQL keeps nothing of what is replaced. */
  onSetAside?: (place: string) => void;
  /** Called as it goes on, for whoever shows how far it is. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Makes the organization of a backup anew, on either engine. First all of the backup is read and compared, then the
 * files are stored, then the database is made in one piece, as it was: a storage that is opened on it afterwards
 * brings it up to date. API keys and links stay valid, queues of events have ended. Resolves to what the backup says of
 * itself.
 * @param path of the backup
 * @param storage is not opened; no server may use its database
 * @throws StorageError `unreachable` where there is no such file, `foreign-application` where it is no backup, `io` where
 *   it is damaged, `newer-version` where a newer version has made it, `busy` while somebody uses the database; whatever
 *   `checkReplaceable` throws
 */
export async function restore(path: string, storage: Keepable, options: RestoreOptions): Promise<Manifest> {
  const file = BackupFile.open(path);
  try {
    const { manifest } = file;
    if (manifest.version > newestOf(migrations)) {
      throw new StorageError(`${path} is from a newer version of Parlance (${manifest.made_by}).`, 'newer-version');
    }
    await checkPlace(storage, options);
    options.onStep?.({ what: 'verifying', done: 0 });
    await file.verify();
    await storeFiles(file, manifest, options);
    const { version } = manifest;
    const known = migrations.filter((migration) => migration.version <= version);
    await storage.refill({ ...options, version }, (into) => fill(file.connection, into, { known, manifest, options }));
    return manifest;
  } finally {
    file.close();
  }
}

/** Asked before anything is done, and once more when nobody else can change it. */
async function checkPlace(storage: Keepable, { checkReplaceable }: RestoreOptions): Promise<void> {
  const isNew = (error: unknown) =>
    error instanceof StorageError && (error.reason === 'empty' || error.reason === 'unreachable');
  const found = await storage
    .inspect((connection) => Promise.resolve(connection.get<{ name: string }>('SELECT name FROM organization')))
    .catch((error: unknown) => {
      if (!isNew(error)) throw error;
      return undefined;
    });
  if (found) checkReplaceable(found.name);
}

/** What is stored under a key never changes, so what is there need not be written again. */
async function storeFiles(file: BackupFile, manifest: Manifest, { files, onStep }: RestoreOptions): Promise<void> {
  if (!files) return;
  let done = 0;
  for (const { id, key, size } of file.files()) {
    if ((await files.size(key)) !== size) await files.write(key, file.content(id));
    done += size;
    onStep?.({ what: 'files', done, total: manifest.files.bytes });
  }
}

async function fill(
  from: Connection,
  into: Connection,
  { known, manifest, options }: { known: readonly Migration[]; manifest: Manifest; options: RestoreOptions },
): Promise<void> {
  for (const table of tablesOf(known)) {
    const described = manifest.tables.find(({ name }) => name === table.name);
    if (!described) throw new StorageError(`The backup has no table ${table.name}.`, 'io');
    await copyTable(from, into, table, options);
    if (table.counted) await countFrom(into, table, described.last_id);
  }
  await fillDerived(into, known, options);
}

async function countFrom(into: Connection, { name, counted, isCountedOnce }: Table, last: number): Promise<void> {
  const next = last + (isCountedOnce ? PASSED_OVER_OF_MUCH : PASSED_OVER);
  if (into.dialect.name === 'postgres') {
    await into.get('SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?) AS last', [
      name,
      counted as string,
      next,
    ]);
    return;
  }
  await into.run('DELETE FROM sqlite_sequence WHERE name = ?', [name]);
  await into.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [name, next]);
}

/** What no backup contains, made of what it does: the search index, from the texts. */
async function fillDerived(into: Connection, known: readonly Migration[], { onStep }: RestoreOptions): Promise<void> {
  for (const { version, name, fill } of known) {
    if (!fill?.makes) continue;
    for (let reached = 0; ; ) {
      const filled = await fill.some(into, reached);
      if (!filled) break;
      reached = filled.to;
      onStep?.({ what: name, done: reached, total: filled.total });
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Had it not ended when the backup was made, it has now.
    await into.run('DELETE FROM unfinished_fills WHERE version = ?', [version]);
  }
}
