import type { ForeignCommit, OpenOptions, Storage, Transaction } from '../interface/storage.ts';
import { migrations } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { Mutex } from '../semaphore.ts';
import { StorageError } from '../storage-error.ts';
import type { SqliteConnection } from './connection.ts';
import { defaultDriver, type SqliteDriverName } from './driver.ts';
import { explain, retryWhileBusy } from './errors.ts';
import { ForeignCommits } from './foreign-commits.ts';
import { GroupCommit } from './group-commit.ts';
import { openConnections } from './opening.ts';
import { SharedReads } from './shared-reads.ts';

export interface SqliteOptions {
  /** Default: better-sqlite3; from Node 24 on the SQLite that Node brings, if it is 3.51.3 or newer. */
  driver?: SqliteDriverName;
  /** `relaxed`: a power failure may take the last commits with it, though never corrupt the file. */
  durability?: 'full' | 'relaxed';
}

/** Stores everything in one file, or in memory under the path `:memory:`. */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteStorage {
  return new SqliteStorage(path, options);
}

/** What an open file is worked on with. In memory, reader and writer are the same. */
interface Opened {
  writer: SqliteConnection;
  reader: SqliteConnection;
  writing: Mutex;
  reading: Mutex;
  commits: GroupCommit;
  reads: SharedReads;
}

export class SqliteStorage implements Storage {
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #known: readonly Migration[];
  readonly #commitListeners: ((commit: ForeignCommit) => void)[] = [];
  #opened: Opened | undefined;
  #foreignCommits: ForeignCommits | undefined;
  #closing = false;

  constructor(path: string, options: SqliteOptions, known: readonly Migration[] = migrations) {
    this.#path = path;
    this.#known = known;
    this.#options = options;
  }

  /** Statements sent so far, those that open and close transactions left out. */
  get statements(): number {
    if (!this.#opened) return 0;
    const { writer, reader } = this.#opened;
    return writer === reader ? writer.statements : writer.statements + reader.statements;
  }

  async open(options: OpenOptions = {}): Promise<void> {
    const { driver = defaultDriver(), durability = 'full' } = this.#options;
    const explained = (error: unknown) => explain(error, this.#path);
    const { writer, reader } = await retryWhileBusy(() =>
      openConnections(this.#path, { driver, durability }, this.#known, options),
    ).catch((error: unknown) => {
      throw explained(error);
    });
    const writing = new Mutex();
    const commits = new GroupCommit({ writer, mutex: writing, explain: explained });
    // With one connection for both, a read must not look into a half-done write.
    const reading = writer === reader ? writing : new Mutex();
    this.#opened = { writer, reader, writing, reading, commits, reads: new SharedReads(reader, reading) };
    this.#watch();
  }

  async close(): Promise<void> {
    if (this.#closing || !this.#opened) return;
    const { writer, reader, reading, commits, reads } = this.#opened;
    // Jobs are done in their order, so everything asked for before is done after these.
    const drained = Promise.allSettled([commits.add(async () => undefined), reads.add(async () => undefined)]);
    this.#closing = true;
    this.#foreignCommits?.stop();
    await drained;
    await reading.run(async () => {
      if (reader !== writer) reader.close();
      try {
        if (reader !== writer) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } finally {
        writer.close();
      }
    });
  }

  async read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { reads } = this.#usable();
    return reads.add(work).catch((error: unknown) => {
      throw explain(error, this.#path);
    });
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#usable().commits.add(work);
  }

  async rehearse<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#usable().commits.add(work, { isRehearsal: true });
  }

  onForeignCommit(listener: (commit: ForeignCommit) => void): void {
    this.#commitListeners.push(listener);
    this.#watch();
  }

  #usable(): Opened {
    if (!this.#opened || this.#closing) {
      throw new StorageError(`${this.#path} is ${this.#closing ? 'closed' : 'not open'}.`, 'closed');
    }
    return this.#opened;
  }

  /** Only once somebody wants to know, and not for a database in memory, which has no others. */
  #watch(): void {
    if (this.#foreignCommits || this.#closing || this.#commitListeners.length === 0 || !this.#opened) return;
    const { writer, reader, writing } = this.#opened;
    if (writer === reader) return;
    const tell = () => {
      for (const listener of this.#commitListeners) listener({ changes: true, dueWork: true });
    };
    this.#foreignCommits = new ForeignCommits(writer, () => writing.isBusy, tell);
  }
}
