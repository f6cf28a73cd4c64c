import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceUnavailable } from '../kernel/errors.ts';
import type { ByteRange, FileStore } from './files.ts';

/** Bytes that are read ahead of whoever reads. */
const READ_AHEAD = 256 * 1024;
/** Bytes that are gathered before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;
/** Nobody else on the machine needs to read what people send each other. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const PARTIAL = '.partial';
/** What a disk says that takes no more. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

const KEY = /^(?!.*\/\.)[\w-][\w.-]*(?:\/[\w.-]+)*$/;

/**
 * Files in a folder of this machine, which is made when the first is stored. Several processes may use one.
 * @example const chat = await openChat({ storage: sqlite('chat.db'), files: localFiles('chat.db-uploads') });
 */
export function localFiles(folder: string): FileStore {
  return new LocalFiles(resolve(folder));
}

class LocalFiles implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key);
    const made = await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    // Of its own name, so that nobody finds a part of it, and another attempt is not in its way.
    const partial = `${path}.${randomBytes(6).toString('hex')}${PARTIAL}`;
    const file = await open(partial, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, FILE_MODE);
    try {
      try {
        await writeAll(file, content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      if (FULL.has((error as NodeJS.ErrnoException).code ?? '')) {
        throw new ServiceUnavailable('The server has no room left for files.');
      }
      throw error;
    }
    await syncFolders(dirname(path), made === undefined ? dirname(path) : dirname(made));
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await ifThere(open(this.#pathOf(key), constants.O_RDONLY));
    return file?.createReadStream({ highWaterMark: READ_AHEAD, ...range });
  }

  async size(key: string): Promise<number | undefined> {
    return (await ifThere(stat(this.#pathOf(key))))?.size;
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key);
    const folder = dirname(path);
    // Of a process that died while it wrote.
    const names = (await ifThere(readdir(folder))) ?? [];
    const parts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(PARTIAL));
    for (const name of [basename(path), ...parts]) await rm(join(folder, name), { force: true });
    if (folder !== this.#folder) await rmdir(folder).catch(() => undefined);
  }

  #pathOf(key: string): string {
    if (!KEY.test(key) || key.length > 200) throw new Error(`This is no key of a file: ${JSON.stringify(key)}.`);
    return join(this.#folder, key);
  }
}

/** A new name survives a loss of power once the folder it is in has been written, and those above that are new. */
async function syncFolders(deepest: string, highest: string): Promise<void> {
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

/** The next pieces arrive while these are being written. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const pieces = gathered;
    gathered = [];
    size = 0;
    await writing;
    writing = writePieces(file, pieces);
    // Told to whoever waits for it next.
    writing.catch(() => undefined);
  };
  try {
    for await (const piece of content) {
      gathered.push(piece);
      size += piece.length;
      if (size >= WRITTEN_AT_ONCE) await flush();
    }
    await flush();
  } finally {
    await writing;
  }
}

/** A file may take less than it is given. */
async function writePieces(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces.filter((piece) => piece.length > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left);
    const rest: Uint8Array[] = [];
    for (const piece of left) {
      if (bytesWritten < piece.length) rest.push(piece.subarray(bytesWritten));
      bytesWritten = Math.max(0, bytesWritten - piece.length);
    }
    left = rest;
  }
}

async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
