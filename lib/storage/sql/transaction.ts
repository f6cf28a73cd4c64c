import type { Transaction } from '../interface/storage.ts';
import { StorageError, stalled } from '../storage-error.ts';
import {
  type Concurrency,
  type Connection,
  type Eventually,
  type Foresee,
  type RowShape,
  type Sending,
  type SqlValue,
  Statements,
} from './connection.ts';
import type { Dialect } from './dialect.ts';
import type { Queries, Query } from './store.ts';
import * as stores from './stores.ts';

const STORES: { readonly [name in keyof Transaction]: Queries<Transaction[name]> } = stores;

/** The stores of a connection, made when they are used: most jobs need only a few. */
class StoresOf {
  constructor(readonly connection: Connection) {}

  static {
    for (const [name, queries] of Object.entries(STORES)) {
      class Store {
        constructor(readonly connection: Connection) {}
      }
      for (const [method, query] of Object.entries<Query<never, unknown>>(queries)) {
        Object.defineProperty(Store.prototype, method, {
          value(this: Store, ...params: never) {
            return query(this.connection, ...params);
          },
        });
      }
      Object.defineProperty(StoresOf.prototype, name, {
        get(this: StoresOf) {
          return new Store(this.connection);
        },
      });
    }
  }
}

export const transactionOn = (connection: Connection) => new StoresOf(connection) as unknown as Transaction;

/** Statements of both kinds can start with `WITH`. */
const mayWrite = (sql: string) => !/^\s*SELECT\b/.test(sql) && /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);

export type Work<T> = (tx: Transaction) => Promise<T>;

/** The connection of one job in a transaction, alone or with others. It works until the job ends. */
export class JobConnection extends Statements implements Connection {
  readonly dialect: Dialect;
  readonly knownSchema: number;
  readonly keptWords: Connection['keptWords'];
  readonly insertEach: Connection['insertEach'];
  concurrency: Concurrency | undefined;
  foresee: Foresee | undefined;
  /** Awaited at the end of the work, also after a failure. Its error replaces the result. */
  check: () => Promise<void> = async () => undefined;
  /** Number of statements that may have changed data. */
  writes = 0;
  /** A statement has failed, so on PostgreSQL all later statements of the transaction fail. */
  isBroken = false;
  readonly #connection: Connection;
  #pending = 0;
  #hasEnded = false;
  #isWatched = false;
  #onStall: (() => void) | undefined;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
    this.dialect = connection.dialect;
    this.knownSchema = connection.knownSchema;
    this.keptWords = connection.keptWords;
    const { insertEach } = connection;
    this.insertEach = insertEach && ((...rows) => this.#send(rows[0], () => insertEach(...rows)) as number[]);
  }

  /** Runs the work. With `mayWait` it may await other things than the transaction, as a read may. */
  async perform<T>(work: Work<T>, { mayWait = false } = {}): Promise<T> {
    const tx = transactionOn(this);
    try {
      const value = await (mayWait ? work(tx) : this.#watched(work, tx)).finally(this.check);
      if (this.#pending > 0) throw new StorageError(UNAWAITED, 'ended');
      return value;
    } finally {
      // A forgotten `await` must never write into another transaction.
      this.#hasEnded = true;
      this.concurrency = undefined;
      this.foresee = undefined;
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

  many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.many(shape, sql, params, options));
  }
  one<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.one(shape, sql, params, options));
  }
  run(sql: string, params?: readonly SqlValue[], options?: Sending) {
    return this.#send(sql, () => this.#connection.run(sql, params, options));
  }

  #send<T>(sql: string, send: () => Eventually<T>): Eventually<T> {
    if (this.#hasEnded) throw new StorageError(ENDED, 'ended');
    if (mayWrite(sql)) this.writes++;
    const answer = send();
    if (!(answer instanceof Promise)) return answer;
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

const ENDED =
  'This transaction has ended. Await every statement before the work returns, and do not store the transaction for later use.';
const UNAWAITED = 'Code inside a transaction returned before one of its statements had finished. Await each statement.';
