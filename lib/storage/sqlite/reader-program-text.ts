// Written by `npm run documents` from reader-program.ts; a test compares.

/** The compiled program of a reader thread. */
export const READER_PROGRAM = `\
"use strict";
(() => {
  var __require = /* @__PURE__ */ ((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x, {
    get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
  }) : x)(function(x) {
    if (typeof require !== "undefined") return require.apply(this, arguments);
    throw Error('Dynamic require of "' + x + '" is not supported');
  });

  // lib/storage/sqlite/reader-program.ts
  var import_node_fs = __require("node:fs");
  var import_node_worker_threads = __require("node:worker_threads");
  var {
    module: driver,
    path,
    inode,
    setup,
    pieceRows,
    pieceLength
  } = import_node_worker_threads.workerData;
  process.emitWarning = () => void 0;
  var database;
  var isOpen = false;
  var unsent = 0;
  var left = /* @__PURE__ */ new Map();
  var prepared = /* @__PURE__ */ new Map();
  function open() {
    if ((0, import_node_fs.statSync)(path).ino !== inode) throw new Error("The file has been replaced.");
    const Database = driver === "node:sqlite" ? __require(driver).DatabaseSync : __require(driver);
    const handle = new Database(path);
    database = handle;
    handle.exec(setup);
    return handle;
  }
  function prepare(handle, { sql, once }) {
    let found = prepared.get(sql);
    if (!found) {
      const statement = handle.prepare(sql);
      if (!statement.raw) statement.setReturnArrays?.(true);
      else if (statement.reader) statement.raw();
      const columns = statement.reader === false ? [] : statement.columns?.() ?? [];
      found = { statement, names: columns.map((column) => column.name) };
      if (!once) prepared.set(sql, found);
    }
    return found;
  }
  function pieceOf(id, all, from) {
    let at = from;
    let length = 0;
    for (; at < all.length && at - from < pieceRows && length < pieceLength; at++) {
      for (const value of all[at] ?? []) {
        if (typeof value === "string") length += value.length;
        else if (value !== null && typeof value === "object") length += value.byteLength;
      }
    }
    unsent += length;
    const isLast = at === all.length;
    if (isLast) left.delete(id);
    else left.set(id, { all, from: at });
    return { rows: from === 0 && isLast ? all : all.slice(from, at), isLast };
  }
  function rowsOf({ statement }, { params, first }) {
    if (first) {
      const row = statement.get(...params);
      return row === void 0 ? [] : [row];
    }
    if (statement.reader !== false) return statement.all(...params);
    statement.run(...params);
    return [];
  }
  function answer(request) {
    if ("more" in request) {
      const rest = left.get(request.more);
      if (!rest) throw new Error("This request has no more rows.");
      return pieceOf(request.more, rest.all, rest.from);
    }
    const handle = database ?? open();
    if (request.begin) {
      endTransaction();
      handle.exec("BEGIN");
      isOpen = true;
    }
    const found = prepare(handle, request);
    return { ...pieceOf(request.id, rowsOf(found, request), 0), names: found.names };
  }
  function endTransaction() {
    left.clear();
    try {
      if (isOpen) database?.exec("ROLLBACK");
    } catch {
    }
    isOpen = false;
  }
  function answerOrError(request) {
    try {
      return answer(request);
    } catch (error) {
      const { name, message, code, errcode } = error;
      return { error: { name, message, code, errcode, isClosed: database === void 0 } };
    }
  }
  import_node_worker_threads.parentPort?.on("message", (message) => {
    if ("close" in message) {
      database?.close();
      import_node_worker_threads.parentPort?.close();
      return;
    }
    if ("end" in message) {
      endTransaction();
      return;
    }
    let answers = [];
    unsent = 0;
    for (const request of message) {
      answers.push(answerOrError(request));
      if (unsent < pieceLength) continue;
      import_node_worker_threads.parentPort?.postMessage(answers);
      answers = [];
      unsent = 0;
    }
    if (answers.length > 0) import_node_worker_threads.parentPort?.postMessage(answers);
  });
})();
`;
