/**
 * The program of a reader thread, as plain CommonJS. It is a string, because a bundler would lose a second file.
 * The source of a function could refer to helpers of the bundler.
 *
 * It receives arrays of requests, since each message costs as much as a small statement. It sends arrays of responses
 * in the same order. The requests and their responses:
 * - `{ id, sql, params, once, first, names, begin }`: `{ rows, isLast, names }`
 * - `{ more }`: the next rows of the request with this ID, in pieces small enough not to block the receiver
 * - `{ run, params }`: `{ changes }`
 * - `{ end }` ends the transaction, as does `begin`; `{ close }` ends the thread
 *
 * Every request may be answered with `{ error }`.
 */
export const READER_PROGRAM = `'use strict';
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

function answer(asked) {
  if (asked.more !== undefined) {
    const { all, from } = left.get(asked.more);
    return piece(asked.more, all, from);
  }
  if (!database) open();
  if (asked.begin) {
    end();
    database.exec('BEGIN');
    isOpen = true;
  }
  if (asked.run !== undefined) return { changes: Number(prepare(asked.run).statement.run(...asked.params).changes) };
  const { statement, names } = prepare(asked.sql, asked.once);
  let rows;
  if (asked.first) {
    const row = statement.get(...asked.params);
    rows = row === undefined ? [] : [row];
  } else rows = statement.all(...asked.params);
  return { ...piece(asked.id, rows, 0), names: asked.names ? names : undefined };
}

function end() {
  left.clear();
  try { if (isOpen) database.exec('ROLLBACK'); } catch {}
  isOpen = false;
}

function answerOrError(asked) {
  try {
    return answer(asked);
  } catch (error) {
    const { name, message, code, errcode } = error;
    return { error: { name, message, code, errcode, isClosed: database === undefined } };
  }
}

/** Characters in responses that are not sent yet. */
let unsent = 0;

parentPort.on('message', (asked) => {
  if (asked.close) {
    if (database) database.close();
    parentPort.close();
    return;
  }
  if (asked.end) {
    end();
    return;
  }
  let answers = [];
  unsent = 0;
  for (const one of asked) {
    answers.push(answerOrError(one));
    if (unsent < pieceLength) continue;
    parentPort.postMessage(answers);
    answers = [];
    unsent = 0;
  }
  if (answers.length > 0) parentPort.postMessage(answers);
});
`;
