import type { PrefetchedQueries, ReadExtent } from '../interface/storage.ts';
import { Semaphore } from '../semaphore.ts';
import { JobConnection, type Work } from '../sql/transaction.ts';
import { StorageError } from '../storage-error.ts';
import { retryWhileBusy } from './errors.ts';
import { ReaderThread, type ThreadOptions, ThreadUnusable } from './reader-thread.ts';
import { ThreadConnection } from './thread-connection.ts';

/** Milliseconds after which an idle thread ends. */
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
  read<T>(work: Work<T>, extent: ReadExtent, ahead?: PrefetchedQueries): Promise<T> {
    const read = () => this.#places.run(() => retryWhileBusy(() => this.#attempt(work, ahead)));
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

  async #attempt<T>(work: Work<T>, ahead: PrefetchedQueries | undefined): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (this.#isClosed) throw this.#closed();
      const thread = this.#take();
      const connection = new ThreadConnection(thread, this.#options.knownSchema, this.sent);
      try {
        // The work counts as begun when queries were sent ahead, so they come first.
        return await new JobConnection(connection).read(work, connection.answers, ahead, { sendsAheadFirst: true });
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

  #take(): ReaderThread {
    const idle = this.#idle.shift();
    if (idle) return idle;
    try {
      const thread = new ReaderThread(this.#options, () => this.#forget(thread));
      this.#all.add(thread);
      return thread;
    } catch (error) {
      // Some processes may not start threads.
      throw new ThreadUnusable((error as Error).message);
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
