/**
 * What a reader thread runs, as plain CommonJS that every supported Node understands. A text and not a file, so
 * that it is there however the library is run: from source, from either build, or bundled into a host's program,
 * where no second file would be found and helpers of the bundler would be missing from a function's text.
 *
 * It is sent lists of questions, since each message costs both sides as much as a small statement, and answers all
 * of them in their order, with lists of answers. `{ id, sql, params, once, first, names, begin }` is answered with
 * `{ rows, isLast, names }`, and `{ more }` with the rows that are left of the question with this id, in pieces small
 * enough to be taken over without holding up whoever takes them; `{ run, params }` with `{ changes }`, all of them
 * with `{ error }` where SQLite refuses. `{ end }` ends the transaction, as does `begin`, and `{ close }` the thread.
 */
export const READER_PROGRAM = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { statSync } = require('node:fs');
const { driver, path, inode, setup, pieceRows, pieceLength } = workerData;
process.emitWarning = () => undefined;

let database;
let isOpen = false;
/** Rows that have not been taken over yet, by the question they answer. */
const left = new Map();
const prepared = new Map();

function open() {
  // Drivers make a file that is not there, and another one at its place is not what the process has open.
  if (statSync(path).ino !== inode) throw new Error('The file is another one by now.');
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

/** Of the rows, from a place on. */
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

/** Characters in the answers that have not been sent yet. */
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
