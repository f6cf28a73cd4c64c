import { errorOf } from '../../base/caught.ts';
import type { ReadExtent } from '../interface/storage.ts';
import { Semaphore } from '../semaphore.ts';
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
import { JobConnection, type Work } from '../sql/transaction.ts';
import { StorageError } from '../storage-error.ts';
import { bind, placesIn, retryWhileBusy } from './connection.ts';
import type { ThreadOptions, ThreadRequest, ThreadResponse } from './reader-program.ts';
import { ReaderThread, ThreadUnusable } from './reader-thread.ts';

const IDLE_TIMEOUT_MS = 20_000;
/** Attempts of a read whose thread dies. */
const MAX_ATTEMPTS = 2;

type ReaderThreadsOptions = ThreadOptions & { threads: number; knownSchema: number };

/**
 * Runs long reads in worker threads, each in its own transaction. Threads start when needed and end when idle. Scans
 * use at most half of them.
 */
export class ReaderThreads {
  readonly #options: ReaderThreadsOptions;
  readonly #places: Semaphore;
  readonly #scans: Semaphore;
  readonly sent = { statements: 0 };
  /** Most recently used first, so that the others become idle and end. */
  readonly #idle: ReaderThread[] = [];
  readonly #all = new Set<ReaderThread>();
  #rest: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReaderThreadsOptions) {
    this.#options = options;
    this.#places = new Semaphore(options.threads);
    this.#scans = new Semaphore(scansBeside(options.threads));
  }

  /** Current number of threads. */
  get size(): number {
    return this.#all.size;
  }

  /** @throws ThreadUnusable if the event loop must read instead */
  read<T>(work: Work<T>, extent: ReadExtent): Promise<T> {
    const read = () => this.#places.run(() => retryWhileBusy(() => this.#attempt(work)));
    return extent === 'scan' ? this.#scans.run(read) : read();
  }

  /** Rejects running reads. Resolves when the file is closed, after the current statements of the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#rest);
    const idle = this.#idle.splice(0);
    const busy = [...this.#all].filter((thread) => !idle.includes(thread));
    await Promise.all([...idle.map((thread) => thread.close()), ...busy.map((thread) => thread.kill(this.#closed()))]);
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (this.#isClosed) throw this.#closed();
      const thread = this.#nextThread();
      const connection = new ThreadConnection(thread, this.#options.knownSchema, this.sent);
      try {
        return await new JobConnection(connection).perform(work, { mayWait: true });
      } catch (error) {
        if (!thread.isEnded) throw error;
        // The thread is gone, so the error of the work is only a consequence.
        if (this.#isClosed) throw this.#closed();
        if (attempt < MAX_ATTEMPTS) continue;
        const said = `The thread that was reading ${this.#options.path} ended unexpectedly. Retry.`;
        throw new StorageError(said, 'unreachable', { cause: error });
      } finally {
        connection.end();
        this.#giveBack(thread);
      }
    }
  }

  #nextThread(): ReaderThread {
    const idle = this.#idle.shift();
    if (idle) return idle;
    try {
      const thread = new ReaderThread(this.#options, () => this.#forget(thread));
      this.#all.add(thread);
      return thread;
    } catch (error) {
      // Some processes may not start threads.
      throw new ThreadUnusable(errorOf(error).message);
    }
  }

  #giveBack(thread: ReaderThread): void {
    if (thread.isEnded || this.#isClosed) return;
    thread.endTransaction();
    this.#idle.unshift(thread);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#letRest(), IDLE_TIMEOUT_MS);
    this.#rest.unref();
  }

  #letRest(): void {
    for (const thread of this.#idle.splice(0)) void thread.close();
  }

  #forget(thread: ReaderThread): void {
    this.#all.delete(thread);
    const at = this.#idle.indexOf(thread);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #closed(): StorageError {
    return new StorageError(`${this.#options.path} is closed.`, 'closed');
  }
}

/** Concurrent scans with this number of threads. */
export const scansBeside = (threads: number) => Math.max(1, Math.floor(threads / 2));

const NONE: readonly SqlValue[] = [];

/** The transaction of one read in a worker thread. It begins with the first statement. */
class ThreadConnection extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  readonly knownSchema: number;
  readonly #answers = new SnapshotAnswers<unknown>();
  readonly #thread: ReaderThread;
  readonly #sent: { statements: number };
  #hasBegun = false;
  #isOver = false;
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
    return this.#answers.answer(sql, params, () => this.#read(shape, sql, params, options)) as Promise<T[]>;
  }

  one<T>(
    shape: RowShape<T>,
    sql: string,
    params: readonly SqlValue[] = NONE,
    options?: Sending,
  ): Promise<T | undefined> {
    const first = async () => (await this.#read(shape, sql, params, { ...options, first: true }))[0];
    return this.#answers.answer(`first of ${sql}`, params, first) as Promise<T | undefined>;
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
