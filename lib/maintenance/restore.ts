import type { FileStore } from '../adapters/files.ts';
import { errorOf } from '../base/caught.ts';
import { present } from '../base/present.ts';
import { SKIPPED_IDS, SKIPPED_IDS_OF_LARGE_TABLES } from '../storage/maintenance/skipped-ids.ts';
import { type Keepable, lastGiven, type Table, tablesOf } from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { checkKnown, hasTable } from '../storage/migrations/migrate.ts';
import type { Migration } from '../storage/migrations/migration.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { MOVED_AWAY } from '../storage/sql/move-marks.ts';
import { explain } from '../storage/sqlite/errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import { copyTable, type KeepingStep } from './back-up.ts';
import { BackupFile, type Manifest } from './backup-file.ts';

/** Options of `restore`. */
export interface RestoreOptions {
  /** File store for the uploaded files. Keeps existing files. Default: restores no files. */
  files?: FileStore | undefined;
  /** Called with the name of an organization that would be replaced. Throw to refuse. Not called if there is none. */
  checkReplaceable(name: string): void;
  /** Called with the path where the replaced SQLite file stays. PostgreSQL keeps no old data. */
  onSetAside?: (place: string) => void;
  /** Called repeatedly with the progress. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Restores a backup on SQLite or PostgreSQL. Verifies the backup, stores the files, then replaces the database
 * atomically. The next `openChat` migrates it. API keys and links stay valid. Event queues do not exist any more.
 * Resolves to the manifest of the backup.
 * @param path path of the backup
 * @param storage the target. It must not be open, and no server may use its database.
 * @throws StorageError `unreachable` if there is no such file, `foreign-application` if it is not a backup, or `io` if
 *   it is damaged
 * @throws StorageError `newer-version` or `too-old` if this version cannot read the backup, or `busy` if the database is in use
 * @throws the error of `checkReplaceable`
 */
export async function restore(path: string, storage: Keepable, options: RestoreOptions): Promise<Manifest> {
  const file = BackupFile.open(path);
  try {
    const { manifest } = file;
    checkKnown(manifest.version, migrations, path);
    const replaced = await checkPlace(storage, options);
    options.onStep?.({ what: 'verifying', done: 0 });
    await file.verify();
    await storeFiles(file, manifest, options);
    const { version } = manifest;
    const known = migrations.filter((migration) => migration.version <= version);
    await storage.refill({ ...options, version }, (into) =>
      fill(file.connection, into, { known, manifest, replaced, options }),
    );
    return manifest;
  } finally {
    file.close();
  }
}

/** The last generated ID of each table. */
type LastIds = ReadonlyMap<string, number>;

/**
 * Checked before any work. `refill` checks again under its lock. Returns the last IDs of the database to replace. It may
 * have assigned more IDs since the backup than a restore skips, and you may restore the same backup twice.
 */
async function checkPlace(storage: Keepable, { checkReplaceable }: RestoreOptions): Promise<LastIds> {
  const isNew = (error: unknown) =>
    error instanceof StorageError && (error.reason === 'empty' || error.reason === 'unreachable');
  const found = await storage
    .inspect(
      async (connection, version) => {
        const organization = await connection.get<{ name: string }>('SELECT name FROM organization');
        // A damaged database may be replaced too.
        return { organization, ids: await lastIdsIn(connection, version).catch(() => new Map<string, number>()) };
      },
      // After a failed upgrade, the database to replace is of a newer version.
      { isOfAnyVersion: true },
    )
    .catch((error: unknown) => {
      if (!isNew(error)) throw error;
      return undefined;
    });
  if (found?.organization) checkReplaceable(found.organization.name);
  return found?.ids ?? new Map();
}

async function lastIdsIn(connection: Connection, version: number): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const table of tablesOf(migrations.filter((migration) => migration.version <= version))) {
    if (!table.counted || !(await hasTable(connection, table.name))) continue;
    ids.set(table.name, await lastGiven(connection, table));
  }
  return ids;
}

/** The content of a key never changes, so files that exist are not written again. */
async function storeFiles(file: BackupFile, manifest: Manifest, { files, onStep }: RestoreOptions): Promise<void> {
  if (!files) return;
  let done = 0;
  for (const { id, key, size } of file.files()) {
    try {
      if ((await files.size(key)) !== size) await files.write(key, file.content(id));
    } catch (error) {
      // The message of a store is for users of a server.
      const { cause } = errorOf(error);
      throw cause instanceof StorageError ? cause : explain(error, key);
    }
    done += size;
    onStep?.({ what: 'files', done, total: manifest.files.bytes });
  }
}

async function fill(
  from: Connection,
  into: Connection,
  given: { known: readonly Migration[]; manifest: Manifest; replaced: LastIds; options: RestoreOptions },
): Promise<void> {
  const { known, manifest, replaced, options } = given;
  for (const table of tablesOf(known)) {
    const described = manifest.tables.find(({ name }) => name === table.name);
    if (!described) throw new StorageError(`The backup has no table ${table.name}.`, 'io');
    await copyTable(from, into, table, options);
    if (table.counted) {
      const last = Math.max(described.last_id, replaced.get(table.name) ?? 0);
      await countFrom(into, table, last + (table.isCountedOnce ? SKIPPED_IDS_OF_LARGE_TABLES : SKIPPED_IDS));
    }
  }
  // The backup may be of a database that has moved since. You want this state.
  await into.run('UPDATE organization SET required_schema = ? WHERE required_schema >= ?', [
    manifest.version,
    MOVED_AWAY,
  ]);
  await fillDerived(into, known, options);
}

/** The next generated ID comes after `last`, which is at least 1. */
export async function countFrom(into: Connection, { name, counted }: Table, last: number): Promise<void> {
  if (into.dialect.name === 'postgres') {
    await into.get('SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?) AS last', [
      name,
      present(counted),
      last,
    ]);
    return;
  }
  await into.run('DELETE FROM sqlite_sequence WHERE name = ?', [name]);
  await into.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [name, last]);
}

/** Creates data that backups do not contain, such as the search index. */
export async function fillDerived(
  into: Connection,
  known: readonly Migration[],
  { onStep }: Pick<RestoreOptions, 'onStep'>,
): Promise<void> {
  for (const { version, name, fill } of known) {
    if (!fill?.makes) continue;
    for (let reached = 0; ; ) {
      const filled = await fill.some(into, reached);
      if (!filled) break;
      reached = filled.to;
      onStep?.({ what: name, done: reached, total: filled.total });
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The backup may be from a database in which this migration had not finished.
    await into.run('DELETE FROM unfinished_fills WHERE version = ?', [version]);
  }
}
