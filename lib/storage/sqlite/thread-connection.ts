import {
  type Connection,
  firstColumn,
  type RowShape,
  type Sending,
  SnapshotAnswers,
  type SqlValue,
  Statements,
} from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';
import { bind, placesIn } from './connection.ts';
import type { ReaderThread, ThreadRequest, ThreadResponse } from './reader-thread.ts';

const NONE: readonly SqlValue[] = [];

/** The transaction of one read in a worker thread. It begins with the first statement. */
export class ThreadConnection extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  readonly knownSchema: number;
  readonly answers = new SnapshotAnswers<unknown>();
  readonly #thread: ReaderThread;
  readonly #sent: { statements: number };
  #hasBegun = false;
  #isOver = false;
  /** Number of requests in this transaction. */
  #requests = 0;

  /** @param sent statement counter of all threads of a storage */
  constructor(thread: ReaderThread, knownSchema: number, sent: { statements: number }) {
    super();
    this.#thread = thread;
    this.knownSchema = knownSchema;
    this.#sent = sent;
  }

  /** Sends no more requests. */
  end(): void {
    this.#isOver = true;
  }

  many<T>(shape: RowShape<T>, sql: string, params: readonly SqlValue[] = NONE, options?: Sending): Promise<T[]> {
    return this.answers.answer(sql, params, () => this.#read(shape, sql, params, options)) as Promise<T[]>;
  }

  one<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[] = NONE,
    options?: Sending,
  ): Promise<T | undefined> {
    const first = async () => (await this.#read(shape, sql, params, { ...options, first: true }))[0];
    return this.answers.answer(`first of ${sql}`, params, first) as Promise<T | undefined>;
  }

  /** SQLite refuses the write with the same error as in the event loop. */
  async run(sql: string, params: readonly SqlValue[] = NONE): Promise<number> {
    return (await this.#read(firstColumn, sql, params)).length;
  }

  async #read<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[],
    { once = false, first = false }: Sending & { first?: boolean } = {},
  ): Promise<T[]> {
    this.#sent.statements++;
    const text = sqliteDialect.query(sql);
    const id = ++this.#requests;
    let piece = await this.#ask({ id, sql: text, params: bind(placesIn(text), params), once, first });
    const read = shape.reader(piece.names ?? []);
    const found = piece.rows.map(read);
    while (!piece.isLast) {
      piece = await this.#ask({ more: id });
      for (const row of piece.rows) found.push(read(row));
    }
    return found;
  }

  #ask(request: ThreadRequest): Promise<ThreadResponse> {
    // After the end of the transaction, the thread may work for another one.
    if (this.#isOver) return Promise.reject(new StorageError('This transaction has ended.', 'ended'));
    if (this.#hasBegun) return this.#thread.ask(request);
    this.#hasBegun = true;
    return this.#thread.ask({ ...request, begin: true } as ThreadRequest);
  }
}
