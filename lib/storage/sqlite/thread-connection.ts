import { type Connection, type RowShape, type Sending, type SqlValue, Statements } from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { SnapshotAnswers } from '../sql/snapshot-answers.ts';
import { StorageError } from '../storage-error.ts';
import { bind } from './connection.ts';
import type { ReaderThread, ThreadRequest, ThreadResponse } from './reader-thread.ts';

interface Text {
  sql: string;
  size: number;
  /** Created with the first rows: the same text always returns rows of the same shape. */
  read: ((values: readonly SqlValue[]) => unknown) | undefined;
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
      text = { sql: query, size: query.split('?').length - 1, read: undefined };
      if (!once) this.#texts.set(sql, text);
    }
    return text;
  }
}

/** The transaction of one read in a worker thread. It begins with the first statement. */
export class ThreadConnection extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  readonly #thread: ReaderThread;
  readonly #texts: ThreadTexts;
  readonly #lists = new SnapshotAnswers<unknown[]>();
  readonly #records = new SnapshotAnswers<unknown>();
  #hasBegun = false;
  #isOver = false;
  #pending = 0;
  /** Number of requests in this transaction. */
  #asked = 0;

  constructor(thread: ReaderThread, texts: ThreadTexts) {
    super();
    this.#thread = thread;
    this.#texts = texts;
  }

  get knownSchema(): number {
    return this.#texts.knownSchema;
  }

  /** @throws StorageError if a statement is still pending: the next read would get its answer */
  checkDone(): void {
    if (this.#pending === 0) return;
    throw new StorageError(
      'Code inside a transaction returned before one of its statements had finished. Await each statement.',
      'ended',
    );
  }

  /** Sends no more requests. */
  end(): void {
    this.#isOver = true;
  }

  /** Sends queries that the work will need. */
  askAhead<T>(ask: () => T): T {
    return this.#lists.askAhead(() => this.#records.askAhead(ask));
  }

  many<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[] = NONE,
    { once = false }: Sending = {},
  ): Promise<T[]> {
    const ask = () =>
      this.#tracked(async () => {
        const text = this.#texts.textOf(sql, once);
        const names = text.read === undefined;
        const id = ++this.#asked;
        let piece = await this.#ask({ id, sql: text.sql, params: bind(text, params), once, names });
        const read = readerFor(text, shape, piece);
        const found = piece.rows.map(read);
        while (!piece.isLast) {
          piece = await this.#ask({ more: id });
          for (const row of piece.rows) found.push(read(row));
        }
        return found;
      });
    return this.#lists.answer(sql, params, ask) as Promise<T[]>;
  }

  insert(sql: string, params: readonly SqlValue[] = NONE): Promise<number> {
    return this.run(sql, params);
  }

  /** Not checked here: SQLite refuses a write with the same error as in the event loop. */
  run(sql: string, params: readonly SqlValue[] = NONE): Promise<number> {
    return this.#tracked(async () => {
      const text = this.#texts.textOf(sql, true);
      return (await this.#ask({ run: text.sql, params: bind(text, params) })).changes ?? 0;
    });
  }

  one<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[] = NONE,
    { once = false }: Sending = {},
  ): Promise<T | undefined> {
    const ask = () =>
      this.#tracked(async () => {
        const text = this.#texts.textOf(sql, once);
        const names = text.read === undefined;
        const id = ++this.#asked;
        const answer = await this.#ask({ id, sql: text.sql, params: bind(text, params), once, names, first: true });
        const [row] = answer.rows;
        return row && readerFor(text, shape, answer)(row);
      });
    return this.#records.answer(sql, params, ask) as Promise<T | undefined>;
  }

  #ask(asked: ThreadRequest): Promise<ThreadResponse> {
    // After the end of the transaction, the thread may work for another one.
    if (this.#isOver) return Promise.reject(new StorageError('This transaction has ended.', 'ended'));
    if (this.#hasBegun) return this.#thread.ask(asked);
    this.#hasBegun = true;
    return this.#thread.ask({ ...asked, begin: true } as ThreadRequest);
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await work();
    } finally {
      this.#pending--;
    }
  }
}

function readerFor<T>(text: Text, shape: RowShape<T>, { names }: ThreadResponse): (values: readonly SqlValue[]) => T {
  text.read ??= shape.reader(names ?? []);
  return text.read as (values: readonly SqlValue[]) => T;
}
