import { Worker } from 'node:worker_threads';
import type { SqlValue } from '../sql/connection.ts';
import type { StorageError } from '../storage-error.ts';

/** A request to the thread. `READER_PROGRAM` describes the responses. */
export type ThreadRequest =
  | {
      id: number;
      sql: string;
      params: readonly SqlValue[];
      once?: boolean;
      first?: boolean;
      begin?: boolean;
    }
  | { more: number };

export interface ThreadResponse {
  rows: SqlValue[][];
  isLast: boolean;
  names?: string[];
}

interface Failed {
  error: { name: string; message: string; code?: unknown; errcode?: unknown; isClosed: boolean };
}

export interface ThreadOptions {
  /** Module path of the driver, or its name if it is part of Node. */
  module: string;
  path: string;
  /** Identifies the file, in case another one has replaced it. */
  inode: number;
  /** Setup statements of a connection. */
  setup: string;
}

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

  constructor({ module, path, inode, setup }: ThreadOptions, onEnd: () => void) {
    this.#worker = new Worker(READER_PROGRAM, {
      eval: true,
      workerData: { driver: module, path, inode, setup, ...PIECE },
      // Not the options of the process, for example a TypeScript loader.
      execArgv: [],
      env: {},
    });
    this.#worker.unref();
    this.#worker.on('message', (answers: (ThreadResponse | Failed)[]) => {
      for (const answer of answers) this.#take(answer);
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

  #send(): void {
    if (this.#unsent.length === 0 || this.isEnded) return;
    this.#worker.postMessage(this.#unsent);
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
      if (!this.isEnded) this.#worker.postMessage({ end: true });
    });
  }

  /** Closes the thread after its pending requests. */
  close(): Promise<void> {
    this.#worker.ref();
    this.#send();
    if (!this.isEnded) this.#worker.postMessage({ close: true });
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

  #take(answer: ThreadResponse | Failed): void {
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

/**
 * The program of a reader thread, as plain CommonJS. It is a string, because a bundler would lose a second file.
 * The source of a function could refer to helpers of the bundler.
 *
 * It receives arrays of requests, since each message costs as much as a small statement. It sends arrays of responses
 * in the same order. The requests and their responses:
 * - `{ id, sql, params, once, first, begin }`: `{ rows, isLast, names }`
 * - `{ more }`: the next rows of the request with this ID, in pieces small enough not to block the receiver
 * - `{ end }` ends the transaction, as does `begin`; `{ close }` ends the thread
 *
 * Every request may be answered with `{ error }`.
 */
const READER_PROGRAM = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { statSync } = require('node:fs');
const { driver, path, inode, setup, pieceRows, pieceLength } = workerData;
process.emitWarning = () => undefined;

let database;
let isOpen = false;
/** Rows not sent yet, by request ID. */
const left = new Map();
const prepared = new Map();

function open() {
  // Drivers would create a missing file. A replaced file is not the one that the process has open.
  if (statSync(path).ino !== inode) throw new Error('The file has been replaced.');
  const Database = driver === 'node:sqlite' ? require(driver).DatabaseSync : require(driver);
  database = new Database(path);
  database.exec(setup);
}

function prepare(sql, once) {
  let found = prepared.get(sql);
  if (!found) {
    const statement = database.prepare(sql);
    if (statement.raw) { if (statement.reader) statement.raw(); }
    else statement.setReturnArrays(true);
    found = { statement, names: statement.reader === false ? [] : statement.columns().map((column) => column.name) };
    if (!once) prepared.set(sql, found);
  }
  return found;
}

/** The next piece of the rows. */
function piece(id, all, from) {
  let at = from;
  let length = 0;
  for (; at < all.length && at - from < pieceRows && length < pieceLength; at++) {
    for (const value of all[at]) {
      if (typeof value === 'string') length += value.length;
      else if (value !== null && typeof value === 'object') length += value.byteLength;
    }
  }
  unsent += length;
  const isLast = at === all.length;
  if (isLast) left.delete(id);
  else left.set(id, { all, from: at });
  return { rows: from === 0 && isLast ? all : all.slice(from, at), isLast };
}

function answer(request) {
  if (request.more !== undefined) {
    const { all, from } = left.get(request.more);
    return piece(request.more, all, from);
  }
  if (!database) open();
  if (request.begin) {
    end();
    database.exec('BEGIN');
    isOpen = true;
  }
  const { statement, names } = prepare(request.sql, request.once);
  let rows;
  if (request.first) {
    const row = statement.get(...request.params);
    rows = row === undefined ? [] : [row];
  } else if (statement.reader === false) {
    statement.run(...request.params);
    rows = [];
  } else rows = statement.all(...request.params);
  return { ...piece(request.id, rows, 0), names };
}

function end() {
  left.clear();
  try { if (isOpen) database.exec('ROLLBACK'); } catch {}
  isOpen = false;
}

function answerOrError(request) {
  try {
    return answer(request);
  } catch (error) {
    const { name, message, code, errcode } = error;
    return { error: { name, message, code, errcode, isClosed: database === undefined } };
  }
}

/** Characters in responses that are not sent yet. */
let unsent = 0;

parentPort.on('message', (requests) => {
  if (requests.close) {
    if (database) database.close();
    parentPort.close();
    return;
  }
  if (requests.end) {
    end();
    return;
  }
  let answers = [];
  unsent = 0;
  for (const request of requests) {
    answers.push(answerOrError(request));
    if (unsent < pieceLength) continue;
    parentPort.postMessage(answers);
    answers = [];
    unsent = 0;
  }
  if (answers.length > 0) parentPort.postMessage(answers);
});
`;
