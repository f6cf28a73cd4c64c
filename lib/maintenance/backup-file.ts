import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { inBlocks } from '../base/bytes.ts';
import { errorOf } from '../base/caught.ts';
import type { SqlValue } from '../storage/sql/connection.ts';
import { SqliteConnection } from '../storage/sqlite/connection.ts';
import { defaultDriver } from '../storage/sqlite/driver.ts';
import { explain } from '../storage/sqlite/errors.ts';
import { BACKUP_ID } from '../storage/sqlite/opening.ts';
import { StorageError } from '../storage/storage-error.ts';

/** Version of the file format. The tables in the file have the version of their database. */
const FORMAT = 1;

/** Description of a backup. */
export interface Manifest {
  /** Time of the snapshot in milliseconds since the epoch. All writes acknowledged before are included. */
  made_ms: number;
  /** Version of the package that created the backup. */
  made_by: string;
  /** Database engine of the source. A backup can be restored on both. */
  engine: 'sqlite' | 'postgres';
  /** Newest migration of the database. */
  version: number;
  /** Name of the organization. */
  organization: string;
  /** The tables, ordered by name. */
  tables: {
    /** Name of the table. */
    name: string;
    /** Columns in order, with their SQLite types. */
    columns: readonly { name: string; type: 'INTEGER' | 'TEXT' | 'BLOB' }[];
    /** Number of rows in the backup. */
    rows: number;
    /** Largest ID ever assigned, even if its row is deleted. 0 if the table has no generated IDs. */
    last_id: number;
  }[];
  /** The uploaded files in the backup. */
  files: BackedUpFiles;
}

/** Uploaded files in a backup. */
export interface BackedUpFiles {
  /** Whether uploaded files are in the backup. Also true if there were none. */
  included: boolean;
  /** Number of files. */
  count: number;
  /** Total size in bytes. */
  bytes: number;
  /** Keys of files that were not in the file store: deleted during the backup, or lost before. */
  missing: string[];
}

const TABLES = `
CREATE TABLE backup (format INTEGER NOT NULL, manifest TEXT NOT NULL) STRICT;
CREATE TABLE backup_files (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
CREATE TABLE backup_parts (id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE INDEX backup_parts_by_file ON backup_parts (file_id, id);`;

const PART_BYTES = 1024 * 1024;

/** A backup: one SQLite file with the tables of an organization of either engine, its uploaded files and a manifest. */
export class BackupFile {
  readonly connection: SqliteConnection;
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
    this.connection = SqliteConnection.open(defaultDriver(), path);
  }

  /** Creates a file that only its owner may read. No fsync: a file that is not complete has no final name. */
  static create(path: string): BackupFile {
    closeSync(openSync(path, 'wx', 0o600));
    const file = new BackupFile(path);
    file.connection.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF',
    );
    file.connection.exec(`PRAGMA application_id = ${BACKUP_ID}; ${TABLES}`);
    return file;
  }

  /** @throws StorageError if the file is not a backup, or of a newer format */
  static open(path: string): BackupFile {
    if (!existsSync(path)) throw new StorageError(`There is no file ${path}.`, 'unreachable');
    let file: BackupFile | undefined;
    try {
      file = new BackupFile(path);
      if (file.connection.pragma('application_id') !== BACKUP_ID) {
        throw noBackup(path);
      }
      file.connection.exec('PRAGMA query_only = ON');
      const format = file.connection.scalar('SELECT format FROM backup');
      if (format !== FORMAT)
        throw new StorageError(`${path} is a backup of a newer version of Parlance.`, 'newer-version');
      return file;
    } catch (error) {
      file?.close();
      throw sqliteProblem(explain(error, path), path);
    }
  }

  get manifest(): Manifest {
    return JSON.parse(String(this.connection.scalar('SELECT manifest FROM backup'))) as Manifest;
  }

  set manifest(manifest: Manifest) {
    this.connection.run('INSERT INTO backup (format, manifest) VALUES (?, ?)', [FORMAT, JSON.stringify(manifest)]);
  }

  /** Adds an uploaded file; returns its size in bytes. */
  async add(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const { connection } = this;
    const id = await connection.insert("INSERT INTO backup_files (key, size, sha256) VALUES (?, 0, '') RETURNING id", [
      key,
    ]);
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of inBlocks(content, PART_BYTES)) {
      hash.update(part);
      size += part.length;
      connection.run('INSERT INTO backup_parts (file_id, bytes) VALUES (?, ?)', [id, part]);
    }
    connection.run('UPDATE backup_files SET size = ?, sha256 = ? WHERE id = ?', [size, hash.digest('hex'), id]);
    return size;
  }

  files(): { id: number; key: string; size: number }[] {
    return this.connection.all('SELECT id, key, size FROM backup_files ORDER BY id');
  }

  /** The bytes of a file. Compares their hash at the end. */
  async *content(id: number): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for (let after = 0; ; ) {
      const part = this.connection.get<{ id: number; bytes: SqlValue }>(
        'SELECT id, bytes FROM backup_parts WHERE file_id = ? AND id > ? ORDER BY id LIMIT 1',
        [id, after],
      );
      if (!part) break;
      const bytes = part.bytes as Buffer;
      hash.update(bytes);
      yield bytes;
      after = part.id;
    }
    const found = this.connection.get<{ key: string; sha256: string }>(
      'SELECT key, sha256 FROM backup_files WHERE id = ?',
      [id],
    );
    if (found?.sha256 !== hash.digest('hex')) throw damaged(this.path, `the file ${found?.key} has another hash`);
  }

  /**
   * Reads the whole backup and compares it with its manifest.
   * @throws StorageError `io` with the first difference
   */
  async verify(): Promise<void> {
    const { connection, path, manifest } = this;
    try {
      const sound = connection.pragma('integrity_check(1)');
      if (sound !== 'ok') throw damaged(path, String(sound));
      const broken = connection.get<{ child: string }>('SELECT "table" AS child FROM pragma_foreign_key_check LIMIT 1');
      if (broken) throw damaged(path, `rows of ${broken.child} refer to rows that do not exist`);
      for (const { name, rows } of manifest.tables) {
        const found = connection.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name}`)?.n;
        if (found !== rows) throw damaged(path, `${name} has ${found} rows, not ${rows}`);
      }
    } catch (error) {
      throw sqliteProblem(error, path);
    }
    const files = this.files();
    if (files.length !== manifest.files.count)
      throw damaged(path, `${files.length} files instead of ${manifest.files.count}`);
    for (const { id } of files) for await (const _ of this.content(id));
  }

  close(): void {
    this.connection.close();
  }
}

const noBackup = (path: string, options?: ErrorOptions) =>
  new StorageError(`${path} is not a backup made by \`chatctl backup\`.`, 'foreign-application', options);

/** SQLite itself fails on a truncated file. */
function sqliteProblem(error: unknown, path: string): unknown {
  if (error instanceof StorageError) {
    return error.reason === 'not-a-database' ? noBackup(path, { cause: error }) : error;
  }
  return damaged(path, errorOf(error).message);
}

function damaged(path: string, what: string): StorageError {
  return new StorageError(`${path} is damaged: ${what}.`, 'io');
}

/** Offset of the application ID in an SQLite file. */
const APPLICATION_ID_AT = 68;

/** Whether a file is marked as a backup, intact or damaged. */
export function isBackup(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const id = Buffer.alloc(4);
    return readSync(file, id, 0, 4, APPLICATION_ID_AT) === 4 && id.readInt32BE() === BACKUP_ID;
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the description of a backup, without verifying the content.
 * @throws StorageError `unreachable` if there is no such file, `foreign-application` if it is not a backup, `io` if it
 *   is damaged, `newer-version` if a newer version created it
 */
export function manifestOf(path: string): Manifest {
  const file = BackupFile.open(path);
  try {
    return file.manifest;
  } finally {
    file.close();
  }
}
