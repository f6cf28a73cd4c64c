import { setTimeout as delay } from 'node:timers/promises';
import { StorageError } from '../storage-error.ts';

/** How long another process may keep the file locked, milliseconds. */
const PATIENCE_MS = 10_000;

const PRIMARY_CODES: Record<string, number> = {
  SQLITE_BUSY: 5,
  SQLITE_CANTOPEN: 14,
  SQLITE_CONSTRAINT: 19,
  SQLITE_NOTADB: 26,
};

/** SQLite's primary result code: one driver gives its name, the other the number. */
export function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  if (typeof code !== 'string') return undefined;
  for (const name in PRIMARY_CODES) if (code.startsWith(name)) return PRIMARY_CODES[name];
  return undefined;
}

export const isBusy = (error: unknown) => sqliteCode(error) === 5;
const isNotADatabase = (error: unknown) => sqliteCode(error) === 26;
const isUnopenable = (error: unknown) => sqliteCode(error) === 14;

/** The operator's view of what went wrong with the file; other errors stay as they are. */
export function explain(error: unknown, path: string): unknown {
  if (isNotADatabase(error)) {
    return new StorageError(`${path} is not a database.`, 'not-a-database', { cause: error });
  }
  if (isBusy(error)) {
    return new StorageError(`${path} is locked by another process.`, 'busy', { cause: error });
  }
  const { code, message } = error as { code?: string; message?: string };
  if (isUnopenable(error) || ['ENOENT', 'EACCES', 'ENOTDIR', 'EISDIR', 'EPERM', 'EROFS'].includes(code ?? '')) {
    return new StorageError(`${path} cannot be opened: ${message}.`, 'unreachable', { cause: error });
  }
  return error;
}

/** Waits for other processes without holding up the event loop. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await delay(pause + Math.random() * pause);
  }
}
