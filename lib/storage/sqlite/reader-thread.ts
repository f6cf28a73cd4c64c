import { Worker } from 'node:worker_threads';
import type { SqlValue } from '../sql/connection.ts';
import type { StorageError } from '../storage-error.ts';
import { READER_PROGRAM } from './reader-program.ts';

/** What is asked of the thread; `reader-program.ts` says how it answers. */
export type Asked =
  | {
      id: number;
      sql: string;
      params: readonly SqlValue[];
      once?: boolean;
      first?: boolean;
      names?: boolean;
      begin?: boolean;
    }
  | { run: string; params: readonly SqlValue[]; begin?: boolean }
  | { more: number };

export interface Answered {
  rows: SqlValue[][];
  isLast: boolean;
  names?: string[];
  changes?: number;
}

interface Failed {
  error: { name: string; message: string; code?: unknown; errcode?: unknown; isClosed: boolean };
}

export interface ThreadOptions {
  /** Where the driver is, or its name where it is part of Node. */
  module: string;
  path: string;
  /** By which it is told from another file that has taken its place. */
  inode: number;
  /** Statements that every connection begins with. */
  setup: string;
}

/** Of one message from a thread: taking it over should not take milliseconds. */
const PIECE = { pieceRows: 1_000, pieceLength: 1_000_000 };

/** The thread ended with a question unanswered, for whatever reason. */
class ThreadEnded extends Error {}

/** The thread is there, but has no database: what it was to read is to be read elsewhere. */
export class ThreadUnusable extends Error {}

/** A thread with a connection of its own to the file. Only a thread that is asked something keeps the process alive. */
export class ReaderThread {
  readonly #worker: Worker;
  /** Whoever waits for an answer; they come in the order of asking. */
  readonly #waiting: { resolve(answer: Answered): void; reject(error: Error): void }[] = [];
  /** What has been asked in this turn, to be sent at its end in one message. */
  #unsent: Asked[] = [];
  readonly ended: Promise<void>;
  #isEnded = false;
  /** To give up a transaction that is over. */
  #ending: NodeJS.Immediate | undefined;

  constructor({ module, path, inode, setup }: ThreadOptions, onEnd: () => void) {
    this.#worker = new Worker(READER_PROGRAM, {
      eval: true,
      workerData: { driver: module, path, inode, setup, ...PIECE },
      // What the process was started with, such as a loader of another language, is nothing to the thread.
      execArgv: [],
      env: {},
    });
    this.#worker.unref();
    this.#worker.on('message', (answers: (Answered | Failed)[]) => {
      for (const answer of answers) this.#take(answer);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
    // Unheard, an 'error' would end the process; 'exit' follows it, and does what is to be done.
    this.#worker.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isEnded = true;
        for (const { reject } of this.#waiting.splice(0)) reject(new ThreadEnded());
        onEnd();
        resolve();
      });
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  ask(asked: Asked): Promise<Answered> {
    if (this.#isEnded) return Promise.reject(new ThreadEnded());
    if (this.#ending) clearImmediate(this.#ending);
    this.#ending = undefined;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#worker.ref();
      this.#waiting.push({ resolve, reject });
      // After the promises that are settled already: what goes on from them may ask for more.
      if (this.#unsent.length === 0) process.nextTick(() => this.#send());
      this.#unsent.push(asked);
    });
  }

  #send(): void {
    if (this.#unsent.length === 0 || this.#isEnded) return;
    this.#worker.postMessage(this.#unsent);
    this.#unsent = [];
  }

  /**
   * Gives up what the transaction has open; nobody waits for it. Done at the end of the turn, unless another one begins
   * until then, which does so itself: each message to a thread wakes it.
   */
  endTransaction(): void {
    this.#send();
    this.#ending ??= setImmediate(() => {
      this.#ending = undefined;
      if (!this.#isEnded) this.#worker.postMessage({ end: true });
    });
  }

  /** When it has done what it was asked. */
  close(): Promise<void> {
    this.#worker.ref();
    this.#send();
    if (!this.#isEnded) this.#worker.postMessage({ close: true });
    return this.ended;
  }

  /** Whoever waits is told at once; the thread itself ends when SQLite has finished the statement it is at. */
  async kill(reason: StorageError): Promise<void> {
    this.#worker.removeAllListeners('message');
    this.#worker.ref();
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    await this.#worker.terminate();
    await this.ended;
  }

  #take(answer: Answered | Failed): void {
    const waiting = this.#waiting.shift();
    if ('error' in answer) waiting?.reject(errorOf(answer));
    else waiting?.resolve(answer);
  }
}

/** With the codes by which it is told what went wrong, as the driver gave them. */
function errorOf({ error: { name, message, code, errcode, isClosed } }: Failed): Error {
  if (isClosed) return new ThreadUnusable(message);
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  return Object.assign(error, code === undefined ? {} : { code }, errcode === undefined ? {} : { errcode });
}
