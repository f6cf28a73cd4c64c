import type { Transaction } from '../interface/storage.ts';
import {
  type Concurrency,
  type Connection,
  type Foresee,
  type RowShape,
  type Sending,
  type SqlValue,
  Statements,
} from '../sql/connection.ts';
import { openTransaction } from '../sql/transaction.ts';
import { StorageError, stalled } from '../storage-error.ts';
import type { PostgresConnection } from './connection.ts';

/** Statements of both kinds can start with `WITH`. */
const mayWrite = (sql: string) => !/^\s*SELECT\b/.test(sql) && /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);

export type Work<T> = (tx: Transaction) => Promise<T>;

/** One job in a transaction, alone or with others. */
export class JobConnection extends Statements implements Connection {
  readonly dialect;
  concurrency: Concurrency | undefined;
  foresee: Foresee | undefined;
  /** Awaited at the end of the work, also after a failure. Its error replaces the result. */
  check: () => Promise<void> = async () => undefined;
  /** Number of statements that may have changed data. */
  writes = 0;
  /** A statement has failed, so all later statements of the transaction fail. */
  isBroken = false;
  readonly #connection: PostgresConnection;
  /** Number of pending statements. */
  #pending = 0;
  #isWatched = false;
  #onStall: (() => void) | undefined;

  constructor(connection: PostgresConnection) {
    super();
    this.#connection = connection;
    this.dialect = connection.dialect;
  }

  get knownSchema(): number {
    return this.#connection.knownSchema;
  }

  /** Runs the work. With `mayWait` it may await other things than the transaction, as a read may. */
  async perform<T>(work: Work<T>, { mayWait = false } = {}): Promise<T> {
    const { tx, end } = openTransaction(this);
    try {
      const value = await (mayWait ? work(tx) : this.#watched(work, tx)).finally(this.check);
      if (this.#pending > 0) {
        throw new StorageError(
          'Code inside a transaction returned before one of its statements had finished. Await each statement.',
          'ended',
        );
      }
      return value;
    } finally {
      end();
      this.#onStall = undefined;
    }
  }

  /** Counts the promise as a pending statement. */
  track<T>(promise: Promise<T>): Promise<T> {
    this.#pending++;
    const settled = () => {
      this.#pending--;
      this.#watch();
    };
    promise.then(settled, settled);
    return promise;
  }

  many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Promise<T[]> {
    return this.#sent(sql, this.#connection.many(shape, sql, params, options));
  }
  one<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Promise<T | undefined> {
    return this.#sent(sql, this.#connection.one(shape, sql, params, options));
  }
  insert(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return this.#sent(sql, this.#connection.insert(sql, params));
  }
  run(sql: string, params?: readonly SqlValue[], options?: Sending): Promise<number> {
    return this.#sent(sql, this.#connection.run(sql, params, options));
  }

  #sent<T>(sql: string, answer: Promise<T>): Promise<T> {
    if (mayWrite(sql)) this.writes++;
    answer.catch(() => {
      this.isBroken = true;
    });
    return this.track(answer);
  }

  #watched<T>(work: Work<T>, tx: Transaction): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#onStall = () => reject(stalled());
      this.#watch();
      (async () => work(tx))().then(resolve, reject);
    });
  }

  /**
   * Work continues within one turn of the event loop after an answer. If it has no pending statement then, it waits for
   * something outside of the transaction.
   */
  #watch(): void {
    if (this.#isWatched || !this.#onStall) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      if (this.#pending === 0) this.#onStall?.();
    });
  }
}
