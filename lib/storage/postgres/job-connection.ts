import type { Transaction } from '../interface/storage.ts';
import type {
  Concurrency,
  Connection,
  Foresee,
  LookUpOnce,
  Row,
  RowShape,
  Sending,
  SqlValue,
} from '../sql/connection.ts';
import { openTransaction } from '../sql/transaction.ts';
import { StorageError, stalled } from '../storage-error.ts';
import type { PostgresConnection } from './connection.ts';

/** `WITH` begins statements of either kind. */
const mayWrite = (sql: string) => !/^\s*SELECT\b/.test(sql) && /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql);

export type Work<T> = (tx: Transaction) => Promise<T>;

/** The part of one piece of work in a transaction, which it may have to itself or share with others. */
export class JobConnection implements Connection {
  readonly dialect;
  concurrency: Concurrency | undefined;
  once: LookUpOnce | undefined;
  foresee: Foresee | undefined;
  /** Waited for when the work has ended, whatever became of it. What this throws becomes of it instead. */
  check: () => Promise<void> = async () => undefined;
  /** Statements so far that may have changed something. */
  writes = 0;
  /** A statement was refused, and with it everything that follows in the transaction. */
  isBroken = false;
  readonly #connection: PostgresConnection;
  /** What it waits for at the moment. */
  #pending = 0;
  #isWatched = false;
  #onStall: (() => void) | undefined;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.dialect = connection.dialect;
  }

  get knownSchema(): number {
    return this.#connection.knownSchema;
  }

  get statements(): number {
    return this.#connection.statements;
  }

  /** Does the work. With `mayWait` it may wait for other things than the transaction, as a read may. */
  async perform<T>(work: Work<T>, { mayWait = false } = {}): Promise<T> {
    const { tx, end } = openTransaction(this);
    try {
      const value = await (mayWait ? work(tx) : this.#watched(work, tx)).finally(this.check);
      if (this.#pending > 0) {
        throw new StorageError(
          'Work inside a transaction returned before a statement of its own; await each.',
          'ended',
        );
      }
      return value;
    } finally {
      end();
      this.#onStall = undefined;
    }
  }

  /** Whoever waits for this waits for the transaction. */
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
  all<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Promise<R[]> {
    return this.#sent(sql, this.#connection.all<R>(sql, params, options));
  }
  get<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Promise<R | undefined> {
    return this.#sent(sql, this.#connection.get<R>(sql, params, options));
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

  /** What the transaction answers is taken up within one turn of the event loop; who then asks for nothing waits elsewhere. */
  #watch(): void {
    if (this.#isWatched || !this.#onStall) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      if (this.#pending === 0) this.#onStall?.();
    });
  }
}
