import type { Ahead, ReadExtent, Transaction } from '../interface/storage.ts';
import { Semaphore } from '../semaphore.ts';
import { openTransaction } from '../sql/transaction.ts';
import { StorageError } from '../storage-error.ts';
import { retryWhileBusy } from './errors.ts';
import { ReaderThread, type ThreadOptions, ThreadUnusable } from './reader-thread.ts';
import { ThreadConnection, ThreadTexts } from './thread-connection.ts';

/** Milliseconds after which a thread that nobody needs ends. */
const REST = 20_000;
/** How often a read is begun whose thread ends under it. */
const ATTEMPTS = 2;

type Work<T> = (tx: Transaction) => Promise<T>;

/**
 * Reads that may take long, each a transaction of its own in a thread beside the event loop. Threads are started
 * when they are needed and end after a rest. Scans leave half of them to reads that are only large.
 */
export class ReaderThreads {
  readonly #options: ThreadOptions;
  readonly #places: Semaphore;
  readonly #scans: Semaphore;
  readonly #texts: ThreadTexts;
  /** The one that was used last comes first, so that the others may rest. */
  readonly #idle: ReaderThread[] = [];
  readonly #all = new Set<ReaderThread>();
  #rest: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadOptions & { threads: number; knownSchema: number }) {
    this.#options = options;
    this.#places = new Semaphore(options.threads);
    this.#scans = new Semaphore(scansBeside(options.threads));
    this.#texts = new ThreadTexts(options.knownSchema);
  }

  get statements(): number {
    return this.#texts.statements;
  }

  /** Threads that there are at the moment. */
  get size(): number {
    return this.#all.size;
  }

  /** @throws ThreadUnusable where it is to be read elsewhere */
  read<T>(work: Work<T>, extent: ReadExtent, ahead?: Ahead): Promise<T> {
    const read = () => this.#places.run(() => retryWhileBusy(() => this.#attempt(work, ahead)));
    return extent === 'scan' ? this.#scans.run(read) : read();
  }

  /** Reads under way are refused. Resolves when the file is closed: a thread finishes the statement that it is at. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#rest);
    const idle = this.#idle.splice(0);
    const busy = [...this.#all].filter((thread) => !idle.includes(thread));
    await Promise.all([...idle.map((thread) => thread.close()), ...busy.map((thread) => thread.kill(this.#closed()))]);
  }

  async #attempt<T>(work: Work<T>, ahead: Ahead | undefined): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (this.#isClosed) throw this.#closed();
      const thread = this.#take();
      try {
        return await perform(new ThreadConnection(thread, this.#texts), work, ahead);
      } catch (error) {
        if (!thread.isEnded) throw error;
        // Whatever the work made of it, its thread is gone.
        if (this.#isClosed) throw this.#closed();
        if (attempt < ATTEMPTS) continue;
        const said = `${this.#options.path} was being read by a thread that ended.`;
        throw new StorageError(said, 'unreachable', { cause: error });
      } finally {
        this.#giveBack(thread);
      }
    }
  }

  #take(): ReaderThread {
    const idle = this.#idle.shift();
    if (idle) return idle;
    try {
      const thread = new ReaderThread(this.#options, () => this.#forget(thread));
      this.#all.add(thread);
      return thread;
    } catch (error) {
      // Not every process may have threads.
      throw new ThreadUnusable((error as Error).message);
    }
  }

  #giveBack(thread: ReaderThread): void {
    if (thread.isEnded || this.#isClosed) return;
    thread.endTransaction();
    this.#idle.unshift(thread);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#letRest(), REST);
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

/** How many of so many threads scans may have. */
export const scansBeside = (threads: number) => Math.max(1, Math.floor(threads / 2));

async function perform<T>(connection: ThreadConnection, work: Work<T>, ahead: Ahead | undefined): Promise<T> {
  const { tx, end } = openTransaction(connection);
  try {
    const asked = Promise.allSettled(connection.askAhead(() => ahead?.(tx) ?? []));
    const value = await work(tx);
    await asked;
    connection.checkDone();
    return value;
  } finally {
    end();
    connection.end();
  }
}
