import type { Transaction } from '../interface/storage.ts';
import type { Mutex } from '../semaphore.ts';
import { lookUpOnce } from '../sql/connection.ts';
import { openTransaction } from '../sql/transaction.ts';
import type { SqliteConnection } from './connection.ts';
import { retryWhileBusy, sqliteCode } from './errors.ts';

/** Most reads per snapshot, so that new reads do not wait long. */
const MAX_READS_PER_SNAPSHOT = 64;
/** Milliseconds before a group yields the event loop: SQLite answers synchronously, so it would run to its end. */
const SLICE_MS = 5;

interface PendingRead {
  work(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs the reads that arrive in one turn of the event loop on one snapshot, started after they arrived. They also share
 * the lookup of the versions. They run one after another, and each is answered when it ends.
 */
export class SharedReads {
  readonly #reader: SqliteConnection;
  readonly #mutex: Mutex;
  readonly #reads: PendingRead[] = [];
  /** Scheduled or reading. */
  #isActive = false;

  constructor(reader: SqliteConnection, mutex: Mutex) {
    this.#reader = reader;
    this.#mutex = mutex;
  }

  add<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reads.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    await this.#mutex.run(() => this.#performGroup(this.#reads.splice(0, MAX_READS_PER_SNAPSHOT)));
    this.#isActive = false;
    if (this.#reads.length > 0) this.#schedule();
  }

  async #performGroup(reads: readonly PendingRead[]): Promise<void> {
    const done = reads.length > 1 ? await this.#performShared(reads) : 0;
    for (const { work, resolve, reject } of reads.slice(done)) {
      await retryWhileBusy(() => performAlone(this.#reader, work)).then(resolve, reject);
    }
  }

  /** Returns the number of answered reads: fewer than all if SQLite failed, which may have ended the snapshot. */
  async #performShared(reads: readonly PendingRead[]): Promise<number> {
    let answered = 0;
    let end = performance.now() + SLICE_MS;
    try {
      this.#reader.control('BEGIN');
      this.#reader.once = lookUpOnce();
      for (const { work, resolve, reject } of reads) {
        await perform(this.#reader, work).then(resolve, (error) => {
          if (sqliteCode(error) !== undefined) throw error;
          reject(error);
        });
        answered++;
        if (performance.now() < end) continue;
        await new Promise(setImmediate);
        end = performance.now() + SLICE_MS;
      }
    } catch {
      // Reads without an answer run again alone, and get the error.
    } finally {
      this.#reader.once = undefined;
      this.#reader.rollBack();
    }
    return answered;
  }
}

async function performAlone<T>(reader: SqliteConnection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  reader.control('BEGIN');
  try {
    return await perform(reader, work);
  } finally {
    reader.rollBack();
  }
}

async function perform<T>(reader: SqliteConnection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { tx, end } = openTransaction(reader);
  try {
    return await work(tx);
  } finally {
    end();
  }
}
