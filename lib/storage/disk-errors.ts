import { closeSync, openSync } from 'node:fs';
import { codeOf } from '../base/caught.ts';
import { StorageError, type StorageErrorReason } from './storage-error.ts';

/** Each of two connections opens the file and its log. They share the index of the log. */
const FILES_OF_A_CHAT = 5;

export interface Explanation {
  reason: StorageErrorReason;
  /** Follows the name of the file. */
  says: string;
}

export const UNOPENABLE: Explanation = { reason: 'unreachable', says: 'cannot be opened' };
export const READ_ONLY: Explanation = { reason: 'read-only', says: 'cannot be written' };
export const FULL: Explanation = { reason: 'full', says: 'cannot grow, its disk is full' };
export const BROKEN: Explanation = { reason: 'io', says: 'cannot be read or written, its disk reports errors' };

const BY_SYSTEM_CODE: ReadonlyMap<unknown, Explanation> = new Map([
  ...['ENOENT', 'EACCES', 'ENOTDIR', 'EISDIR', 'EPERM', 'EMFILE', 'ENFILE'].map((code) => [code, UNOPENABLE] as const),
  ['EROFS', READ_ONLY],
  ...['ENOSPC', 'EDQUOT', 'EFBIG'].map((code) => [code, FULL] as const),
  ['EIO', BROKEN],
]);

/**
 * Turns errors of the system about a file or a disk into a `StorageError`. Returns other errors unchanged.
 * @param found what the storage knows of the error
 */
export function explainDiskError(error: unknown, path: string, found?: Explanation): unknown {
  const { code, message, path: own = path } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const explanation = found ?? BY_SYSTEM_CODE.get(code);
  if (!explanation) return error;
  const isPlain = explanation.reason === 'not-a-database';
  const why = (explanation === UNOPENABLE && reachedFileLimit()) || message;
  // An uploaded file of a backup, or the temporary name of a new file.
  const place = own.replace(/\.[\da-f-]+\.partial$/, '');
  const said = isPlain ? `${place} ${explanation.says}.` : `${place} ${explanation.says}: ${why}.`;
  return new StorageError(said, explanation.reason, { cause: error });
}

/** Whether the process cannot open the files of another chat. SQLite reports only that it cannot open one. */
function reachedFileLimit(): string | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_CHAT) opened.push(openSync(process.execPath, 'r'));
    return undefined;
  } catch (error) {
    if (codeOf(error) !== 'EMFILE') return undefined;
  } finally {
    for (const file of opened) closeSync(file);
  }
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return `this process has reached its limit of ${userLimits?.open_files?.soft} open files (ulimit -n)`;
}
