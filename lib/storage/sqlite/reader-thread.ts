import { Worker } from 'node:worker_threads';
import type { StorageError } from '../storage-error.ts';
import type { Failed, ThreadMessage, ThreadOptions, ThreadRequest, ThreadResponse } from './reader-program.ts';
import { READER_PROGRAM } from './reader-program-text.ts';

/** Size limit of one message from a thread, so that receiving it takes less than milliseconds. */
const PIECE = { pieceRows: 1_000, pieceLength: 1_000_000 };

/** The thread ended before it answered. */
class ThreadEnded extends Error {}

/** The thread cannot use the database: read in the event loop instead. */
export class ThreadUnusable extends Error {}

/** A worker thread with its own connection to the file. It keeps the process alive only while it has requests. */
export class ReaderThread {
  readonly #worker: Worker;
  /** Pending requests. Responses arrive in the same order. */
  readonly #waiting: { resolve(answer: ThreadResponse): void; reject(error: Error): void }[] = [];
  /** Requests of this turn, sent at its end in one message. */
  #unsent: ThreadRequest[] = [];
  readonly ended: Promise<void>;
  isEnded = false;
  #ending: NodeJS.Immediate | undefined;

  constructor(options: ThreadOptions, onEnd: () => void) {
    this.#worker = new Worker(READER_PROGRAM, {
      eval: true,
      workerData: { ...options, ...PIECE },
      // Not the options of the process, for example a TypeScript loader.
      execArgv: [],
      env: {},
    });
    this.#worker.unref();
    this.#worker.on('message', (answers: (ThreadResponse | Failed)[]) => {
      for (const answer of answers) this.#receive(answer);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
    // An unhandled 'error' would end the process. The 'exit' that follows does the cleanup.
    this.#worker.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.isEnded = true;
        for (const { reject } of this.#waiting.splice(0)) reject(new ThreadEnded());
        onEnd();
        resolve();
      });
    });
  }

  ask(request: ThreadRequest): Promise<ThreadResponse> {
    if (this.isEnded) return Promise.reject(new ThreadEnded());
    clearImmediate(this.#ending);
    this.#ending = undefined;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#worker.ref();
      this.#waiting.push({ resolve, reject });
      // Code that continues after settled promises may add more requests to this message.
      if (this.#unsent.length === 0) process.nextTick(() => this.#send());
      this.#unsent.push(request);
    });
  }

  #post(message: ThreadMessage): void {
    this.#worker.postMessage(message);
  }

  #send(): void {
    if (this.#unsent.length === 0 || this.isEnded) return;
    this.#post(this.#unsent);
    this.#unsent = [];
  }

  /**
   * Ends the transaction without waiting. Sent at the end of the turn, unless a new transaction starts before, which
   * ends the old one itself: each message wakes the thread.
   */
  endTransaction(): void {
    this.#send();
    this.#ending ??= setImmediate(() => {
      this.#ending = undefined;
      if (!this.isEnded) this.#post({ end: true });
    });
  }

  /** Closes the thread after its pending requests. */
  close(): Promise<void> {
    this.#worker.ref();
    this.#send();
    if (!this.isEnded) this.#post({ close: true });
    return this.ended;
  }

  /** Rejects pending requests immediately. The thread ends when SQLite has finished its current statement. */
  async kill(reason: StorageError): Promise<void> {
    this.#worker.removeAllListeners('message');
    this.#worker.ref();
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    await this.#worker.terminate();
    await this.ended;
  }

  #receive(answer: ThreadResponse | Failed): void {
    const waiting = this.#waiting.shift();
    if ('error' in answer) waiting?.reject(errorOf(answer));
    else waiting?.resolve(answer);
  }
}

/** Restores the error of the driver, with its codes. */
function errorOf({ error: { name, message, code, errcode, isClosed } }: Failed): Error {
  if (isClosed) return new ThreadUnusable(message);
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  return Object.assign(error, code === undefined ? {} : { code }, errcode === undefined ? {} : { errcode });
}
