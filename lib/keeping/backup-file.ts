import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { SqlValue } from '../storage/sql/connection.ts';
import { SqliteConnection } from '../storage/sqlite/connection.ts';
import { defaultDriver } from '../storage/sqlite/driver.ts';
import { explain } from '../storage/sqlite/errors.ts';
import { BACKUP_ID } from '../storage/sqlite/opening.ts';
import { StorageError } from '../storage/storage-error.ts';

/** Of the file itself; the tables in it have the version of the database they are from. */
const FORMAT = 1;

/** What a backup says of itself. */
export interface Manifest {
  /** Milliseconds since the epoch: everything acknowledged before is in it. */
  made_ms: number;
  /** Version of the package that made it. */
  made_by: string;
  /** Where it was made; it is restored on either. */
  engine: 'sqlite' | 'postgres';
  /** The newest migration that the database had. */
  version: number;
  /** Name of the organization. */
  organization: string;
  /** What is in each table, ordered by name. */
  tables: {
    /** Name of the table. */
    name: string;
    /** Its columns in their order, with the types that SQLite has for them. */
    columns: readonly { name: string; type: 'INTEGER' | 'TEXT' | 'BLOB' }[];
    /** How many rows the backup has of it. */
    rows: number;
    /** The largest ID that was given in it, though its row may be gone; 0 where IDs are not given by counting. */
    last_id: number;
  }[];
  /** What it has of uploaded files. */
  files: BackedUpFiles;
}

/** The uploaded files of an organization, as a backup has them. */
export interface BackedUpFiles {
  /** Whether the bytes of uploaded files are in the backup; also true where there were none. */
  included: boolean;
  /** How many files are in it. */
  count: number;
  /** Bytes of all of them together. */
  bytes: number;
  /** Keys in the file store that the database knows and the store had not: removed meanwhile, or lost before. */
  missing: string[];
}

const TABLES = `
CREATE TABLE backup (format INTEGER NOT NULL, manifest TEXT NOT NULL) STRICT;
CREATE TABLE backup_files (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
CREATE TABLE backup_parts (id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE INDEX backup_parts_by_file ON backup_parts (file_id, id);`;

const PART_BYTES = 1024 * 1024;

/**
 * A backup: one SQLite file with the tables of an organization, whatever engine it is from, the bytes of its uploaded
 * files, and what it should contain.
 */
export class BackupFile {
  readonly connection: SqliteConnection;
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
    this.connection = new SqliteConnection(defaultDriver(), path);
  }

  /** A new one, which only its owner may read. It has its real name once it is whole, so nothing is waited for here. */
  static create(path: string): BackupFile {
    closeSync(openSync(path, 'wx', 0o600));
    const file = new BackupFile(path);
    file.connection.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF',
    );
    file.connection.exec(`PRAGMA application_id = ${BACKUP_ID}; ${TABLES}`);
    return file;
  }

  /** @throws StorageError where it is none, or one of a later format */
  static open(path: string): BackupFile {
    if (!existsSync(path)) throw new StorageError(`There is no file ${path}.`, 'unreachable');
    let file: BackupFile | undefined;
    try {
      file = new BackupFile(path);
      if (file.connection.pragma('application_id') !== BACKUP_ID) {
        throw noBackup(path);
      }
      file.connection.exec('PRAGMA query_only = ON');
      const format = file.connection.value('SELECT format FROM backup');
      if (format !== FORMAT)
        throw new StorageError(`${path} is a backup of a newer version of Parlance.`, 'newer-version');
      return file;
    } catch (error) {
      file?.close();
      throw sqliteProblem(explain(error, path), path);
    }
  }

  get manifest(): Manifest {
    return JSON.parse(String(this.connection.value('SELECT manifest FROM backup'))) as Manifest;
  }

  set manifest(manifest: Manifest) {
    this.connection.run('INSERT INTO backup (format, manifest) VALUES (?, ?)', [FORMAT, JSON.stringify(manifest)]);
  }

  /** Takes the bytes of an uploaded file; returns how many there were. */
  async add(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const { connection } = this;
    const id = connection.insert("INSERT INTO backup_files (key, size, sha256) VALUES (?, 0, '') RETURNING id", [key]);
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of inParts(content)) {
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

  /** The bytes of a file, compared at the end with what they were when they were added. */
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
    if (found?.sha256 !== hash.digest('hex')) throw damaged(this.path, `the file ${found?.key} is not what was put in`);
  }

  /**
   * Reads all of it and compares with what it says of itself.
   * @throws StorageError naming the first difference
   */
  async verify(): Promise<void> {
    const { connection, path, manifest } = this;
    try {
      const sound = connection.pragma('integrity_check(1)');
      if (sound !== 'ok') throw damaged(path, String(sound));
      const broken = connection.get<{ child: string }>('SELECT "table" AS child FROM pragma_foreign_key_check LIMIT 1');
      if (broken) throw damaged(path, `rows of ${broken.child} refer to others that are not there`);
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
  new StorageError(`${path} is no backup made by \`chatctl backup\`.`, 'foreign-application', options);

/** A torn file makes SQLite itself give up. */
function sqliteProblem(error: unknown, path: string): unknown {
  if (error instanceof StorageError) {
    return error.reason === 'not-a-database' ? noBackup(path, { cause: error }) : error;
  }
  return damaged(path, (error as Error).message);
}

function damaged(path: string, what: string): StorageError {
  return new StorageError(`${path} is damaged: ${what}.`, 'io');
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    gathered.push(piece);
    size += piece.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered);
}

/** Where a SQLite file has the id of the program that made it. */
const APPLICATION_ID_AT = 68;

/** Whether a file calls itself a backup, sound or not. */
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
 * What a backup says of itself, without a look at whether it is true.
 * @throws StorageError `unreachable` where there is no such file, `foreign-application` where it is no backup, `io` where
 *   it is damaged, `newer-version` where a newer version has made it
 */
export function manifestOf(path: string): Manifest {
  const file = BackupFile.open(path);
  try {
    return file.manifest;
  } finally {
    file.close();
  }
}
