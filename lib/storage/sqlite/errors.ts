import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '../../base/caught.ts';
import { BROKEN, type Explanation, explainDiskError, FULL, READ_ONLY, UNOPENABLE } from '../disk-errors.ts';
import { StorageError } from '../storage-error.ts';

const BUSY: Explanation = { reason: 'busy', says: 'is locked' };

/** Primary result codes of SQLite: name, number and explanation. */
const CODES: readonly [name: string, code: number, explanation?: Explanation][] = [
  ['SQLITE_PERM', 3, READ_ONLY],
  ['SQLITE_BUSY', 5, BUSY],
  ['SQLITE_LOCKED', 6, BUSY],
  ['SQLITE_READONLY', 8, READ_ONLY],
  ['SQLITE_IOERR', 10, BROKEN],
  ['SQLITE_CORRUPT', 11, { reason: 'io', says: 'is damaged' }],
  ['SQLITE_FULL', 13, FULL],
  ['SQLITE_CANTOPEN', 14, UNOPENABLE],
  ['SQLITE_PROTOCOL', 15, BUSY],
  ['SQLITE_CONSTRAINT', 19],
  ['SQLITE_NOTADB', 26, { reason: 'not-a-database', says: 'is not a database' }],
];

/** Primary result code of SQLite. better-sqlite3 reports its name, node:sqlite the number. */
export function sqliteCode(error: unknown): number | undefined {
  const number = numberOf(error);
  if (number !== undefined) return number & 0xff;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return CODES.find(([name]) => code.startsWith(name))?.[1];
}

/** Extended result code of node:sqlite. */
function numberOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** On a full disk, SQLite reports an I/O error for the index of its write-ahead log. */
function lacksSpace(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_IOERR_SHMSIZE' || numberOf(error) === 4874;
}

export const isDamaged = (error: unknown) => sqliteCode(error) === 11;

export const isBusy = (error: unknown) => sqliteCode(error) === 5;

/**
 * Turns errors of SQLite and of the disk into a `StorageError`. Returns other errors unchanged.
 * @param waitedMs how long the caller has waited
 */
export function explain(error: unknown, path: string, waitedMs?: number): unknown {
  const code = sqliteCode(error);
  const ofSqlite = CODES.find(([, each]) => each === code)?.[2];
  const found = lacksSpace(error) ? FULL : ofSqlite;
  if (found === BUSY) return new StorageError(lockedText(path, waitedMs), 'busy', { cause: error });
  return explainDiskError(error, path, found);
}

function lockedText(path: string, waitedMs: number | undefined): string {
  const time = waitedMs === undefined ? 'is locked' : `is still locked after ${(waitedMs / 1000).toFixed(1)} s`;
  const holder = writerOf(path);
  if (holder !== undefined && holder !== process.pid) return `${path} ${time} by process ${holder}.`;
  const who =
    holder === undefined ? 'another process, or a transaction of this process' : 'a transaction of this process';
  return `${path} ${time} by ${who}. Inside your own transaction, call the chat with within(connection).`;
}

/** The process with an open write transaction. Only Linux tells. */
function writerOf(path: string): number | undefined {
  try {
    const { ino } = statSync(`${path}-shm`);
    // SQLite locks this byte of the index of the write-ahead log.
    const lock = new RegExp(` WRITE +(\\d+) \\S+:${ino} 120 120$`, 'm').exec(readFileSync('/proc/locks', 'utf8'));
    return lock ? Number(lock[1]) : undefined;
  } catch {
    return undefined;
  }
}
