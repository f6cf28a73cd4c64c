import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceUnavailable } from '../kernel/errors.ts';
import { PieceList } from '../kernel/piece-list.ts';

/** Bytes that are gathered before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;
/** What a disk says that takes no more. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The error, or what people are told of a disk that is full. */
export function orNoRoom(error: unknown): unknown {
  const isFull = FULL.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  return isFull ? new ServiceUnavailable('The server has no room left for files.') : error;
}

/**
 * Makes a folder and those above it, and resolves to the highest that is new. `mkdir` with `recursive` never returns
 * where a file system takes no folders and says ENOENT, as /proc does.
 * @throws the system's error where one cannot be made
 */
export async function makeFolder(path: string, mode: number, attempts = 3): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const parent = dirname(path);
  const made = parent === path ? undefined : await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The one above was empty, and somebody has cleared it away.
    if (code === 'ENOENT' && attempts > 1) return makeFolder(path, mode, attempts - 1);
    // Another process may have been quicker.
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

/** A new name survives a loss of power once the folder it is in has been written, and those above that are new. */
export async function syncFolders(deepest: string, highest: string): Promise<void> {
  // Windows cannot open folders, and keeps their entries by itself.
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
 * Writes content to a file from a position on. The next pieces arrive while these are being written. Where the content
 * fails, what came before it is not all written.
 */
export async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>, from = 0): Promise<void> {
  let position = from;
  const gathered = new PieceList();
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const at = position;
    position += gathered.size;
    const pieces = gathered.take();
    await writing;
    writing = writePieces(file, pieces, at);
    // Told to whoever waits for it next.
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

/** A file may take less than it is given. */
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

/** What is found, or undefined where there is nothing at that path. */
export async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
