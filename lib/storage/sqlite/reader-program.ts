/**
 * The program of a reader thread. `npm run documents` compiles it into `reader-program-text.ts`, since a bundler would
 * lose a second file. It is the only file of the thread, so it imports types, and modules of Node.
 */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { SqlValue } from '../sql/connection.ts';
import type { Handle, ListStatement } from './driver.ts';

export interface ThreadOptions {
  /** Module path of the driver, or its name if it is part of Node. */
  module: string;
  path: string;
  /** Identifies the file, in case another one has replaced it. */
  inode: number;
  /** Setup statements of a connection. */
  setup: string;
}

/** Requests go together, since each message costs as much as a small statement. `end` ends the transaction. */
export type ThreadMessage = readonly ThreadRequest[] | { end: true } | { close: true };

/** A statement, or `more`: the next rows of the request with this ID. `begin` ends the transaction and starts another. */
export type ThreadRequest = StatementRequest | { more: number };

interface StatementRequest {
  id: number;
  sql: string;
  params: readonly SqlValue[];
  once?: boolean;
  first?: boolean;
  begin?: boolean;
}

/** Responses have the order of their requests. A piece of the rows is small enough not to block the receiver. */
export interface ThreadResponse {
  rows: SqlValue[][];
  isLast: boolean;
  names?: string[];
}

export interface Failed {
  error: { name: string; message: string; code?: unknown; errcode?: unknown; isClosed: boolean };
}

interface Prepared {
  statement: ListStatement;
  names: string[];
}

const {
  module: driver,
  path,
  inode,
  setup,
  pieceRows,
  pieceLength,
} = workerData as ThreadOptions & {
  pieceRows: number;
  pieceLength: number;
};
process.emitWarning = () => undefined;

let database: Handle | undefined;
let isOpen = false;
/** Characters in responses that are not sent yet. */
let unsent = 0;
/** Rows not sent yet, by request ID. */
const left = new Map<number, { all: SqlValue[][]; from: number }>();
const prepared = new Map<string, Prepared>();

function open(): Handle {
  // Drivers would create a missing file. A replaced file is not the one that the process has open.
  if (statSync(path).ino !== inode) throw new Error('The file has been replaced.');
  const Database = driver === 'node:sqlite' ? require(driver).DatabaseSync : require(driver);
  const handle: Handle = new Database(path);
  // Set before the setup, whose failure is an error of an open database.
  database = handle;
  handle.exec(setup);
  return handle;
}

function prepare(handle: Handle, { sql, once }: StatementRequest): Prepared {
  let found = prepared.get(sql);
  if (!found) {
    const statement = handle.prepare(sql);
    if (!statement.raw) statement.setReturnArrays?.(true);
    else if (statement.reader) statement.raw();
    const columns = statement.reader === false ? [] : (statement.columns?.() ?? []);
    found = { statement: statement as ListStatement, names: columns.map((column) => column.name) };
    if (!once) prepared.set(sql, found);
  }
  return found;
}

/** The next piece of the rows. */
function pieceOf(id: number, all: SqlValue[][], from: number): ThreadResponse {
  let at = from;
  let length = 0;
  for (; at < all.length && at - from < pieceRows && length < pieceLength; at++) {
    for (const value of all[at] ?? []) {
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

function rowsOf({ statement }: Prepared, { params, first }: StatementRequest): SqlValue[][] {
  if (first) {
    const row = statement.get(...params);
    return row === undefined ? [] : [row];
  }
  if (statement.reader !== false) return statement.all(...params);
  statement.run(...params);
  return [];
}

function answer(request: ThreadRequest): ThreadResponse {
  if ('more' in request) {
    const rest = left.get(request.more);
    if (!rest) throw new Error('This request has no more rows.');
    return pieceOf(request.more, rest.all, rest.from);
  }
  const handle = database ?? open();
  if (request.begin) {
    endTransaction();
    handle.exec('BEGIN');
    isOpen = true;
  }
  const found = prepare(handle, request);
  return { ...pieceOf(request.id, rowsOf(found, request), 0), names: found.names };
}

function endTransaction(): void {
  left.clear();
  try {
    if (isOpen) database?.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back already.
  }
  isOpen = false;
}

function answerOrError(request: ThreadRequest): ThreadResponse | Failed {
  try {
    return answer(request);
  } catch (error) {
    const { name, message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    return { error: { name, message, code, errcode, isClosed: database === undefined } };
  }
}

parentPort?.on('message', (message: ThreadMessage) => {
  if ('close' in message) {
    database?.close();
    parentPort?.close();
    return;
  }
  if ('end' in message) {
    endTransaction();
    return;
  }
  let answers: (ThreadResponse | Failed)[] = [];
  unsent = 0;
  for (const request of message) {
    answers.push(answerOrError(request));
    if (unsent < pieceLength) continue;
    parentPort?.postMessage(answers);
    answers = [];
    unsent = 0;
  }
  if (answers.length > 0) parentPort?.postMessage(answers);
});
