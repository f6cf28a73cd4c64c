/**
 * What a reader thread runs, as plain CommonJS that every supported Node understands. A text and not a file, so
 * that it is there however the library is run: from source, from either build, or bundled into a host's program,
 * where no second file would be found and helpers of the bundler would be missing from a function's text.
 *
 * It is asked one thing at a time. `{ sql, params, once, first, names, begin }` is answered with
 * `{ rows, isLast, names }`, and `{ more }` with the rows that are left, in pieces small enough to be taken over
 * without holding up whoever takes them; `{ run, params }` with `{ changes }`, all of them with `{ error }` where
 * SQLite refuses. `{ end }` ends the transaction, `{ close }` the thread.
 */
export const READER_PROGRAM = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { statSync } = require('node:fs');
const { driver, path, inode, setup, pieceRows, pieceLength } = workerData;
process.emitWarning = () => undefined;

let database;
let left = [];
let at = 0;
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

function nextPiece() {
  const from = at;
  for (let length = 0; at < left.length && at - from < pieceRows && length < pieceLength; at++) {
    for (const value of left[at]) {
      if (typeof value === 'string') length += value.length;
      else if (value !== null && typeof value === 'object') length += value.byteLength;
    }
  }
  const rows = from === 0 && at === left.length ? left : left.slice(from, at);
  const isLast = at === left.length;
  if (isLast) left = [];
  return { rows, isLast };
}

function answer(asked) {
  if (asked.more) return nextPiece();
  if (!database) open();
  if (asked.begin) database.exec('BEGIN');
  if (asked.run !== undefined) return { changes: Number(prepare(asked.run).statement.run(...asked.params).changes) };
  const { statement, names } = prepare(asked.sql, asked.once);
  if (asked.first) {
    const row = statement.get(...asked.params);
    left = row === undefined ? [] : [row];
  } else left = statement.all(...asked.params);
  at = 0;
  return { ...nextPiece(), names: asked.names ? names : undefined };
}

parentPort.on('message', (asked) => {
  if (asked.close) {
    if (database) database.close();
    parentPort.close();
    return;
  }
  if (asked.end) {
    left = [];
    try { if (database) database.exec('ROLLBACK'); } catch {}
    return;
  }
  try {
    parentPort.postMessage(answer(asked));
  } catch (error) {
    const { name, message, code, errcode } = error;
    parentPort.postMessage({ error: { name, message, code, errcode, isClosed: database === undefined } });
  }
});
`;
