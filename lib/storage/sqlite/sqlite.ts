import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { access, constants, open, stat, statfs, unlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { TimeSlice } from '../../base/time-slice.ts';
import type { ExportScope, ExportSource } from '../interface/export.ts';
import type { ForeignCommit, OpenOptions, ReadExtent, Storage, Transaction } from '../interface/storage.ts';
import { exportSource } from '../maintenance/export-rows.ts';
import type { ChangeOptions, Keepable, RefillOptions } from '../maintenance/tables.ts';
import { migrations } from '../migrations/index.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import { Semaphore } from '../semaphore.ts';
import type { Connection } from '../sql/connection.ts';
import { JobConnection } from '../sql/transaction.ts';
import { isMoved, StorageError } from '../storage-error.ts';
import { retryWhileBusy, type SqliteConnection } from './connection.ts';
import { defaultDriver, moduleOf, type SqliteDriverName } from './driver.ts';
import { explain } from './errors.ts';
import { GroupCommit } from './group-commit.ts';
import { changeFile, checkFileReferences, inspectFile, refillFile } from './keeping.ts';
import { openConnections, READER_SETUP } from './opening.ts';
import { ThreadUnusable } from './reader-thread.ts';
import { ReaderThreads, scansBeside } from './reader-threads.ts';
import { performWithin } from './within.ts';
import { WordMerging } from './word-merging.ts';

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** Default: `better-sqlite3`; from Node 24 on `node:sqlite`, if its SQLite is 3.51.3 or newer. */
  driver?: SqliteDriverName;
  /** Default `full`. `relaxed` is faster, but a power failure may lose the last commits. It never corrupts the file. */
  durability?: 'full' | 'relaxed';
  /**
   * Most worker threads for long reads, so that they do not block the event loop. Threads start when needed and end
   * when idle. At most half of them run full scans. Default: the number of processors, at least 4 and at most 8.
   * 0: all reads run in the event loop.
   */
  readerThreads?: number;
  /** Smallest file size for worker threads, in bytes. In smaller files all reads are short. Default 8 MiB. */
  threadsFromBytes?: number;
  /**
   * Default `normal`. `small` is for processes with hundreds of chats, see `openTenants`. It has one connection instead
   * of two: 3 open files instead of 5, and reads wait for a running write. Its cache has at most 2 MB instead of 32 MB.
   * The default of `readerThreads` is 1.
   */
  footprint?: 'normal' | 'small';
}

const defaultThreads = () => Math.min(8, Math.max(4, availableParallelism()));
const THREADS_FROM_BYTES = 8 * 1024 * 1024;

/**
 * Stores the chat in one SQLite file. `openChat` opens the file and creates it if necessary.
 * @param path path of the file, or `:memory:` for a database in memory
 * @example const chat = await openChat({ storage: sqlite('chat.db', { durability: 'relaxed' }) });
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteStorage {
  return new SqliteStorage(path, options);
}

/** The parts of an open database. In memory, or with a small footprint, reader and writer are the same connection. */
interface OpenDatabase {
  writer: SqliteConnection;
  reader: SqliteConnection;
  writing: Semaphore;
  reading: Semaphore;
  commits: GroupCommit;
  threads: ReaderThreads | undefined;
  /** Identity of the file. undefined in memory. */
  file: FileId | undefined;
  merging: WordMerging | undefined;
}

type FileId = Pick<Stats, 'dev' | 'ino'>;

export class SqliteStorage implements Storage, Keepable {
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #known: readonly Migration[];
  readonly #commitListeners: ((commit: ForeignCommit) => void)[] = [];
  readonly #slice = new TimeSlice();
  #opened: OpenDatabase | undefined;
  #stopWatching: (() => void) | undefined;
  #closing = false;
  /** Why `openTenants` closes it: requests that are still running get this error. */
  #moved: StorageError | undefined;
  #isLarge = false;
  readonly #threads: number;
  readonly #isInMemory: boolean;
  /** Concurrent scans. Without a thread of its own, a scan would only slow down the others. */
  readonly scans: number;

  constructor(path: string, options: SqliteOptions, known: readonly Migration[] = migrations) {
    this.#path = path;
    this.#known = known;
    this.#options = options;
    this.#isInMemory = path === ':memory:';
    const threads = options.readerThreads ?? (options.footprint === 'small' ? 1 : defaultThreads());
    this.#threads = this.#isInMemory ? 0 : threads;
    this.scans = scansBeside(this.#threads);
  }

  /** Number of statements so far, without BEGIN, COMMIT and ROLLBACK. */
  get statements(): number {
    if (!this.#opened) return 0;
    const { writer, reader, threads } = this.#opened;
    const own = writer === reader ? writer.statements : writer.statements + reader.statements;
    return own + (threads?.sent.statements ?? 0);
  }

  async open(options: OpenOptions = {}): Promise<void> {
    const { driver = defaultDriver(), durability = 'full', footprint = 'normal' } = this.#options;
    const { writer, reader } = await retryWhileBusy(() =>
      openConnections(this.#path, { driver, durability, footprint }, this.#known, options),
    ).catch(this.#rethrow);
    const writing = new Semaphore(1);
    const commits = new GroupCommit({
      writer,
      mutex: writing,
      explain: (error, waitedMs) => explain(error, this.#path, waitedMs),
    });
    // With one connection for both, a read must not see an unfinished write.
    const reading = writer === reader ? writing : new Semaphore(1);
    const file = this.#isInMemory ? undefined : statSync(this.#path, { throwIfNoEntry: false });
    const threads =
      file && this.#threads > 0
        ? new ReaderThreads({
            module: moduleOf(driver),
            path: resolve(this.#path),
            inode: file.ino,
            setup: READER_SETUP,
            threads: this.#threads,
            knownSchema: newestOf(this.#known),
          })
        : undefined;
    const merging = this.#isInMemory ? undefined : new WordMerging(writer, writing);
    this.#opened = { writer, reader, writing, reading, commits, threads, file, merging };
    this.#watch();
  }

  async close(): Promise<void> {
    if (this.#closing || !this.#opened) return;
    const { writer, reader, reading, commits, threads, merging } = this.#opened;
    // Writes run in order, and so do reads.
    const drained = commits.add(async () => undefined).catch(() => undefined);
    this.#closing = true;
    this.#stopWatching?.();
    await Promise.all([drained, threads?.close(), merging?.stop()]);
    await reading.run(async () => {
      if (reader !== writer) reader.close();
      try {
        if (!this.#isInMemory) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Without space, the log stays, and the next process merges it.
        const explained = explain(error, this.#path);
        if (!(explained instanceof StorageError && explained.reason === 'full')) throw explained;
      } finally {
        writer.close();
      }
    });
  }

  async read<T>(work: (tx: Transaction) => Promise<T>, extent?: ReadExtent): Promise<T> {
    const { threads } = this.#usable();
    try {
      if (extent && threads && this.#isLargeFile()) {
        return await threads.read(work, extent).catch((error: unknown) => {
          if (!(error instanceof ThreadUnusable)) throw error;
          return this.#readHere(work);
        });
      }
      return await this.#readHere(work);
    } catch (error) {
      return this.#rethrow(error);
    }
  }

  async isInPlace(): Promise<boolean> {
    const { file } = this.#usable();
    if (!file) return true;
    const found = await stat(this.#path).catch(() => undefined);
    return found?.ino === file.ino && found.dev === file.dev;
  }

  async checkWritable(): Promise<void> {
    if (this.#usable().file) await checkDiskSpace(this.#path).catch(this.#rethrow);
  }

  /** Many reads at once do not block the event loop: SQLite answers at once, so they would all run in one turn. */
  #readHere<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { reader, reading } = this.#usable();
    return reading.run(async () => {
      if (this.#slice.isOver()) await this.#slice.next();
      return retryWhileBusy(async () => {
        reader.control('BEGIN');
        try {
          return await new JobConnection(reader).perform(work, { mayWait: true });
        } finally {
          reader.rollBack();
        }
      });
    });
  }

  #isLargeFile(): boolean {
    const { reader } = this.#usable();
    const least = this.#options.threadsFromBytes ?? THREADS_FROM_BYTES;
    // Files do not shrink.
    this.#isLarge ||= Number(reader.pragma('page_count')) * Number(reader.pragma('page_size')) >= least;
    return this.#isLarge;
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { commits, merging } = this.#usable();
    const value = await commits.add(work).catch(this.#rethrow);
    merging?.countWrite();
    return value;
  }

  async writeWithin<T>(connection: object, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { file } = this.#usable();
    const driver = this.#options.driver ?? defaultDriver();
    const chat = { path: this.#path, driver, knownSchema: newestOf(this.#known), file };
    try {
      return await performWithin(connection, chat, work);
    } catch (error) {
      return this.#rethrow(error);
    }
  }

  /**
   * Merges the segments of the full-text indexes, so that searches read fewer of them. Also runs automatically, in
   * small steps after writes. Resolves when nothing is left to merge.
   */
  async mergeWords(): Promise<void> {
    await this.#usable().merging?.run();
  }

  async forget({ words = false } = {}): Promise<void> {
    if (this.#isInMemory) return;
    const { writer, writing, merging } = this.#usable();
    if (words) await merging?.run({ whole: true });
    const isBusy = await writing.run(async () => writer.pragma('wal_checkpoint(TRUNCATE)') !== 0);
    if (isBusy) throw new StorageError(`${this.#path}: a long read uses the write-ahead log.`, 'busy');
  }

  async dryRun<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#usable().commits.add(work, { isDryRun: true });
  }

  inspect<T>(
    work: (connection: Connection, version: number) => Promise<T>,
    options?: { isOfAnyVersion?: boolean },
  ): Promise<T> {
    return inspectFile(this.#place, work, options).catch(this.#rethrow);
  }

  exportRows<T>(scope: ExportScope, work: (source: ExportSource) => Promise<T>): Promise<T> {
    return this.inspect(async (connection, version) => work(await exportSource(connection, version, scope)));
  }

  refill<T>(options: RefillOptions, work: (connection: Connection) => Promise<T>): Promise<T> {
    return refillFile(this.#place, options, work).catch(this.#rethrow);
  }

  change<T>(work: (connection: Connection) => Promise<T>, options?: ChangeOptions): Promise<T> {
    return changeFile(this.#place, work, options).catch(this.#rethrow);
  }

  checkReferences(): Promise<void> {
    return checkFileReferences(this.#place).catch(this.#rethrow);
  }

  get #place() {
    return { path: this.#path, driver: this.#options.driver ?? defaultDriver(), known: this.#known };
  }

  readonly #rethrow = (error: unknown): never => {
    if (isMoved(error)) {
      this.#moved = error;
      this.#tell({ changes: false, dueWork: false, isMoved: true });
    }
    throw explain(error, this.#path);
  };

  #tell(commit: ForeignCommit): void {
    for (const listener of this.#commitListeners) listener(commit);
  }

  onForeignCommit(listener: (commit: ForeignCommit) => void): void {
    this.#commitListeners.push(listener);
    this.#watch();
  }

  get commits(): { groups: number; writes: number } | undefined {
    return this.#opened?.commits.done;
  }

  #usable(): OpenDatabase {
    if (!this.#opened || this.#closing) {
      if (this.#moved) throw this.#moved;
      const state = this.#closing ? 'closed' : 'not open yet: call openChat first';
      throw new StorageError(`${this.#path} is ${state}.`, 'closed');
    }
    return this.#opened;
  }

  /** Starts with the first listener. A database in memory has no other processes. */
  #watch(): void {
    if (this.#stopWatching || this.#closing || this.#commitListeners.length === 0 || !this.#opened) return;
    if (this.#isInMemory) return;
    const { writer, writing } = this.#opened;
    const onCommit = () => {
      this.#tell({ changes: true, dueWork: true });
    };
    this.#stopWatching = watchForeignCommits(writer, { isBusy: () => writing.isBusy, onCommit });
  }
}

const POLL_MS = 200;

/**
 * Calls `onCommit` after commits of other connections. They change `PRAGMA data_version`, which our own commits do not.
 * @param isBusy while true, the connection is in a transaction and must not read the number
 * @returns a function that ends this
 */
function watchForeignCommits(
  connection: SqliteConnection,
  { isBusy, onCommit }: { isBusy: () => boolean; onCommit: () => void },
): () => void {
  let version = connection.pragma('data_version');
  const look = () => {
    if (isBusy()) return;
    try {
      const found = connection.pragma('data_version');
      if (found === version) return;
      version = found;
    } catch {
      // Locked for a moment. The next check finds the commit.
      return;
    }
    onCommit();
  };
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** With this many free bytes, the file can certainly grow. */
const MIN_FREE_BYTES = 1024 * 1024;
/** Bytes of the test write: some pages of the database and of its log. */
const TEST_WRITE_BYTES = 64 * 1024;

/**
 * Checks with two system calls whether a database file can be written and grow. If little space is free, makes a test
 * write, since root may use reserved blocks. The test file is unlinked before the write, so a crash leaves nothing.
 * @throws the error of the system if the file cannot grow
 */
async function checkDiskSpace(path: string): Promise<void> {
  await access(path, constants.W_OK);
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= MIN_FREE_BYTES) return;
  const testFile = `${path}.${randomBytes(6).toString('hex')}.trial`;
  const file = await open(testFile, 'wx', 0o600);
  try {
    await unlink(testFile);
    await file.writeFile(Buffer.alloc(TEST_WRITE_BYTES));
    await file.sync();
  } finally {
    await file.close();
  }
}
