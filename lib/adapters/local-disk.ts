import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ChunkList } from '../kernel/chunk-list.ts';
import { ServiceUnavailable } from '../kernel/errors.ts';

/** Bytes that are buffered before a write. */
const WRITTEN_AT_ONCE = 256 * 1024;
/** Error codes of a full disk. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The same error, or `ServiceUnavailable` if the disk is full. */
export function orNoRoom(error: unknown): unknown {
  const isFull = FULL.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  return isFull
    ? new ServiceUnavailable(
        'The disk of the server is full: files cannot be stored. Ask the administrator of the server.',
      )
    : error;
}

/**
 * Creates a folder and its parents. Resolves to the topmost new folder. Not `mkdir` with `recursive`: it never returns
 * on file systems that answer ENOENT, like /proc.
 * @throws the error of the system if a folder cannot be created
 */
export async function makeFolder(path: string, mode: number, attempts = 3): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const parent = dirname(path);
  const made = parent === path ? undefined : await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process has removed the empty parent: create it again.
    if (code === 'ENOENT' && attempts > 1) return makeFolder(path, mode, attempts - 1);
    // Another process may have created it.
    if (code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
  return made ?? path;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** A new file survives a power failure only after fsync of its folder and of all new parent folders. */
export async function syncFolders(deepest: string, highest: string): Promise<void> {
  // Windows cannot open folders and needs no fsync of them.
  if (process.platform === 'win32') return;
  for (let folder = deepest; folder.length >= highest.length; folder = dirname(folder)) {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (folder === dirname(folder)) return;
  }
}

/**
 * Writes content to a file, starting at a position. Reads the next pieces while it writes. If reading the content
 * fails, the last pieces before the failure may not be written.
 */
export async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>, from = 0): Promise<void> {
  let position = from;
  const gathered = new ChunkList();
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const at = position;
    position += gathered.size;
    const pieces = gathered.take();
    await writing;
    writing = writePieces(file, pieces, at);
    // The next `await writing` throws the error. This avoids an unhandled rejection before that.
    writing.catch(() => undefined);
  };
  try {
    for await (const piece of content) {
      gathered.add(piece);
      if (gathered.size >= WRITTEN_AT_ONCE) await flush();
    }
    await flush();
  } finally {
    await writing;
  }
}

/** `writev` may write fewer bytes than requested. */
async function writePieces(file: FileHandle, pieces: readonly Uint8Array[], from: number): Promise<void> {
  let position = from;
  let left = pieces.filter((piece) => piece.length > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left, position);
    position += bytesWritten;
    const rest: Uint8Array[] = [];
    for (const piece of left) {
      if (bytesWritten < piece.length) rest.push(piece.subarray(bytesWritten));
      bytesWritten = Math.max(0, bytesWritten - piece.length);
    }
    left = rest;
  }
}

/** The result, or undefined if the path does not exist. */
export async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
