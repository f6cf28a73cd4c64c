import {
  type Connection,
  type RowShape,
  type Sending,
  SnapshotAnswers,
  type SqlValue,
  Statements,
} from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';
import { bind } from './connection.ts';
import type { ReaderThread, ThreadRequest, ThreadResponse } from './reader-thread.ts';

interface Text {
  sql: string;
  /** Number of parameters. */
  size: number;
}

const NONE: readonly SqlValue[] = [];

/** Statement texts shared by all threads of a storage. */
export class ThreadTexts {
  statements = 0;
  readonly #texts = new Map<string, Text>();

  constructor(readonly knownSchema: number) {}

  textOf(sql: string, once: boolean): Text {
    this.statements++;
    let text = this.#texts.get(sql);
    if (!text) {
      const query = sqliteDialect.query(sql);
      text = { sql: query, size: query.split('?').length - 1 };
      if (!once) this.#texts.set(sql, text);
    }
    return text;
  }
}

/** The transaction of one read in a worker thread. It begins with the first statement. */
export class ThreadConnection extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  readonly knownSchema: number;
  readonly answers = new SnapshotAnswers<unknown>();
  readonly #thread: ReaderThread;
  readonly #texts: ThreadTexts;
  #hasBegun = false;
  #isOver = false;
  /** Number of requests in this transaction. */
  #requests = 0;

  constructor(thread: ReaderThread, texts: ThreadTexts) {
    super();
    this.#thread = thread;
    this.#texts = texts;
    this.knownSchema = texts.knownSchema;
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

  /** Not checked here: SQLite refuses a write with the same error as in the event loop. */
  async run(sql: string, params: readonly SqlValue[] = NONE): Promise<number> {
    const text = this.#texts.textOf(sql, true);
    return (await this.#ask({ run: text.sql, params: bind(text, params) })).changes ?? 0;
  }

  async #read<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[],
    { once = false, first = false }: Sending & { first?: boolean } = {},
  ): Promise<T[]> {
    const text = this.#texts.textOf(sql, once);
    const id = ++this.#requests;
    let piece = await this.#ask({ id, sql: text.sql, params: bind(text, params), once, first });
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
