import { setTimeout as delay } from 'node:timers/promises';
import type { Storage, Transaction } from './interface/storage.ts';
import { SqlTransaction } from './sql/transaction.ts';
import { defaultDriver, isBusy, type SqliteConnection, type SqliteDriverName, sqliteCode } from './sqlite-driver.ts';
import { explain, openConnections, type SqliteConnections } from './sqlite-file.ts';
import { StorageError } from './storage-error.ts';
import { Turns } from './turns.ts';

export interface SqliteOptions {
  /** Default: better-sqlite3; from Node 24 on the SQLite that Node brings, if it is 3.51.3 or newer. */
  driver?: SqliteDriverName;
  /** `relaxed`: a power failure may take the last commits with it, though never corrupt the file. */
  durability?: 'full' | 'relaxed';
}

/** Most jobs that share a transaction. */
const GROUP = 256;
/** How long another process may keep the file locked, milliseconds. */
const PATIENCE = 10_000;
const POLL = 200;

interface Job {
  work(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { job: Job; value: unknown; failed: boolean };

/** A job has failed and cannot be undone alone. */
class Entangled extends Error {}

/** Stores everything in one file, or in memory under the path `:memory:`. */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteStorage {
  return new SqliteStorage(path, options);
}

export class SqliteStorage implements Storage {
  readonly #path: string;
  readonly #options: SqliteOptions;
  #connections: SqliteConnections | undefined;
  #writing = new Turns();
  #reading = new Turns();
  readonly #jobs: Job[] = [];
  #flushing = false;
  #closing = false;
  #listeners: (() => void)[] = [];
  #poll: NodeJS.Timeout | undefined;
  #dataVersion: unknown;
  #writer: SqlTransaction | undefined;
  #reader: SqlTransaction | undefined;

  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Statements sent so far, those that open and close transactions left out. */
  get statements(): number {
    if (!this.#connections) return 0;
    const { writer, reader } = this.#connections;
    return writer === reader ? writer.statements : writer.statements + reader.statements;
  }

  async open(): Promise<void> {
    try {
      this.#connections = await patiently(() =>
        openConnections(this.#path, this.#options.driver ?? defaultDriver(), this.#options.durability ?? 'full'),
      );
    } catch (error) {
      throw explain(error, this.#path);
    }
    const { writer, reader } = this.#connections;
    this.#writer = new SqlTransaction(writer);
    this.#reader = writer === reader ? this.#writer : new SqlTransaction(reader);
    // With one connection for both, a read must not look into a half-done write.
    if (writer === reader) this.#reading = this.#writing;
    this.#watch();
  }

  async close(): Promise<void> {
    if (this.#closing || !this.#connections) return;
    // Jobs are done in their order, so everything asked for before is done after this one.
    const drained = this.#enqueue(async () => undefined);
    this.#closing = true;
    clearInterval(this.#poll);
    await drained.catch(() => undefined);
    const { writer, reader } = this.#connections;
    await this.#reading.take(async () => {
      if (reader !== writer) reader.close();
      try {
        if (reader !== writer) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } finally {
        writer.close();
      }
    });
  }

  async read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { reader } = this.#usable();
    const tx = this.#reader as SqlTransaction;
    return this.#reading.take(() => patiently(() => readOnce(reader, tx, work)));
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#usable();
    return this.#enqueue(work);
  }

  onForeignCommit(listener: () => void): void {
    this.#listeners.push(listener);
    this.#watch();
  }

  #usable(): SqliteConnections {
    if (!this.#connections || this.#closing) {
      throw new StorageError(`${this.#path} is ${this.#closing ? 'closed' : 'not open'}.`, 'closed');
    }
    return this.#connections;
  }

  #enqueue<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => void this.#flush());
  }

  /** One transaction for the jobs of this turn of the event loop. */
  async #flush(): Promise<void> {
    await this.#writing.take(() => this.#commit(this.#jobs.splice(0, GROUP)));
    this.#flushing = false;
    if (this.#jobs.length > 0) this.#schedule();
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#together(jobs, false).catch((error: unknown) => {
        if (error instanceof Entangled) return this.#together(jobs, true);
        throw error;
      });
    } catch (error) {
      const reason = explain(error, this.#path);
      for (const job of jobs) job.reject(reason);
      return;
    }
    for (const { job, value, failed } of outcomes) {
      if (failed) job.reject(value);
      else job.resolve(value);
    }
  }

  /**
   * Failures are rare and a savepoint for each job is dear, so at first there is none. A job that fails
   * before it has written leaves nothing to undo; where one has, the whole group is done again with savepoints.
   */
  async #together(jobs: readonly Job[], withSavepoints: boolean): Promise<Outcome[]> {
    const { writer } = this.#connections as SqliteConnections;
    const tx = this.#writer as SqlTransaction;
    const isAlone = jobs.length === 1;
    const perform = withSavepoints ? performInSavepoint : isAlone ? attempt : performPlainly;
    const outcomes: Outcome[] = [];
    try {
      await patiently(async () => writer.control('BEGIN IMMEDIATE'));
      for (const job of jobs) outcomes.push(await perform(job, tx, writer));
      writer.control(isAlone && outcomes[0]?.failed ? 'ROLLBACK' : 'COMMIT');
      return outcomes;
    } catch (error) {
      abandon(writer);
      throw error;
    }
  }

  #watch(): void {
    const connections = this.#connections;
    if (this.#poll || this.#closing || this.#listeners.length === 0 || !connections) return;
    if (connections.writer === connections.reader) return;
    this.#dataVersion = connections.writer.pragma('data_version');
    this.#poll = setInterval(() => this.#look(connections.writer), POLL);
    this.#poll.unref();
  }

  /** The number changes when another connection commits, never by our own commits. */
  #look(writer: SqliteConnection): void {
    if (this.#writing.busy) return;
    let version: unknown;
    try {
      version = writer.pragma('data_version');
    } catch {
      // Locked for a moment: the next look will tell.
      return;
    }
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    for (const listener of this.#listeners) listener();
  }
}

async function attempt(job: Job, tx: Transaction): Promise<Outcome> {
  try {
    return { job, value: await job.work(tx), failed: false };
  } catch (error) {
    return { job, value: error, failed: true };
  }
}

async function performPlainly(job: Job, tx: Transaction, writer: SqliteConnection): Promise<Outcome> {
  const before = writer.writes;
  const outcome = await attempt(job, tx);
  // An error of SQLite itself may have ended the transaction.
  if (outcome.failed && (writer.writes !== before || sqliteCode(outcome.value) !== undefined)) throw new Entangled();
  return outcome;
}

/** Throws only when the whole transaction is lost. */
async function performInSavepoint(job: Job, tx: Transaction, writer: SqliteConnection): Promise<Outcome> {
  writer.control('SAVEPOINT job');
  const outcome = await attempt(job, tx);
  if (outcome.failed) undo(writer, outcome.value);
  else writer.control('RELEASE job');
  return outcome;
}

/** A full disk and its like end the whole transaction; then that is what went wrong for the neighbours too. */
function undo(writer: SqliteConnection, reason: unknown): void {
  try {
    writer.control('ROLLBACK TO job');
    writer.control('RELEASE job');
  } catch {
    throw reason;
  }
}

async function readOnce<T>(
  reader: SqliteConnection,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  reader.control('BEGIN');
  try {
    const value = await work(tx);
    reader.control('COMMIT');
    return value;
  } catch (error) {
    abandon(reader);
    throw error;
  }
}

function abandon(connection: SqliteConnection): void {
  try {
    connection.control('ROLLBACK');
  } catch {
    // SQLite has already rolled back, or had not begun.
  }
}

/** Waits for other processes without holding up the event loop. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await delay(pause + Math.random() * pause);
  }
}
