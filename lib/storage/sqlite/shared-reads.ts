import type { Transaction } from '../interface/storage.ts';
import type { Mutex } from '../semaphore.ts';
import { lookUpOnce } from '../sql/connection.ts';
import { openTransaction } from '../sql/transaction.ts';
import type { SqliteConnection } from './connection.ts';
import { retryWhileBusy, sqliteCode } from './errors.ts';

/** Most reads that share a snapshot, so that none of them is long over when the next ones come. */
const GROUP = 64;
/** Milliseconds of the event loop at a time: what SQLite answers is there at once, so a group would go on to its end. */
const TURN = 5;

interface Read {
  work(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Lets the reads that arrive in one turn of the event loop share a snapshot, begun after they came, and what
 * each of them looks up first. One after the other, each answered when it has ended.
 */
export class SharedReads {
  readonly #reader: SqliteConnection;
  readonly #mutex: Mutex;
  readonly #reads: Read[] = [];
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
    await this.#mutex.run(() => this.#performGroup(this.#reads.splice(0, GROUP)));
    this.#isActive = false;
    if (this.#reads.length > 0) this.#schedule();
  }

  async #performGroup(reads: readonly Read[]): Promise<void> {
    const done = reads.length > 1 ? await this.#performShared(reads) : 0;
    for (const { work, resolve, reject } of reads.slice(done)) {
      await retryWhileBusy(() => performAlone(this.#reader, work)).then(resolve, reject);
    }
  }

  /** Returns how many it has answered: fewer than all where SQLite itself failed, which may have ended the snapshot. */
  async #performShared(reads: readonly Read[]): Promise<number> {
    let answered = 0;
    let end = performance.now() + TURN;
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
        end = performance.now() + TURN;
      }
    } catch {
      // Whoever has no answer yet is asked for again alone, and learns what is wrong.
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
