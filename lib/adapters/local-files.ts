import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../base/caught.ts';
import { ServiceUnavailable } from '../base/errors.ts';
import { explainDiskError } from '../storage/disk-errors.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { AppendableStore, ByteRange, FileStore } from './files.ts';

/** Read-ahead buffer in bytes. */
const READ_AHEAD = 256 * 1024;
/** With fewer free bytes, the disk counts as full. */
const MIN_FREE_BYTES = 1024 * 1024;
/** Other users of the machine must not read uploaded files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const PARTIAL = '.partial';

const KEY = /^(?!.*\/\.)[\w-][\w.-]*(?:\/[\w.-]+)*$/;

/**
 * Stores files in a local folder. Creates the folder with the first file. Several processes may share it.
 * @param folder path of the folder
 * @example const chat = await openChat({ storage: sqlite('chat.db'), files: localFiles('chat.db-uploads') });
 */
export function localFiles(folder: string): FileStore {
  return new LocalFiles(resolve(folder));
}

/** Each file has a temporary name until it is complete. So incomplete content is never readable. */
class LocalFiles implements FileStore, AppendableStore {
  readonly #folder: string;
  readonly appendable = this;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async check(): Promise<void> {
    // The folder is created with the first file.
    let place = this.#folder;
    while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
    try {
      if (!(await stat(place)).isDirectory()) throw Object.assign(new Error('it is not a folder'), { code: 'ENOTDIR' });
      await access(place, constants.W_OK | constants.X_OK);
      const { bavail, bsize } = await statfs(place);
      if (bavail * bsize < MIN_FREE_BYTES)
        throw Object.assign(new Error('less than 1 MiB is free'), { code: 'ENOSPC' });
    } catch (error) {
      throw explainDiskError(error, place);
    }
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key);
    // The name is unique, so that retries do not collide.
    const partial = `${path}.${randomBytes(6).toString('hex')}${PARTIAL}`;
    const { file, highest } = await create(partial).catch((error) => {
      throw orUnusable(error, path);
    });
    try {
      await writeAll(file, content);
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw orUnusable(error, path);
    }
    await syncFolders(dirname(path), highest);
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
    // Also remove temporary files of a process that crashed.
    const names = (await ifThere(readdir(folder))) ?? [];
    const parts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(PARTIAL));
    for (const name of [basename(path), ...parts]) await rm(join(folder, name), { force: true });
    if (folder !== this.#folder) await rmdir(folder).catch(() => undefined);
  }

  async begin(key: string): Promise<void> {
    const partial = this.#growing(key);
    const { file, highest } = await create(partial).catch((error) => {
      throw orUnusable(error, partial);
    });
    await file.close();
    await syncFolders(dirname(partial), highest);
  }

  async offset(key: string): Promise<number | undefined> {
    const file = await ifThere(open(this.#growing(key), constants.O_RDWR));
    if (!file) return this.size(key);
    try {
      // The process that wrote it may have crashed before its own fsync.
      await file.sync();
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(this.#growing(key), constants.O_WRONLY);
    try {
      const { size } = await file.stat();
      if (size !== offset) throw new Error(`The file ends at ${size}, not at ${offset}.`);
      let failure: { error: unknown } | undefined;
      // Ends normally at a failure, so that the stream writes the bytes before it.
      async function* untilFailure() {
        try {
          yield* content;
        } catch (error) {
          failure = { error };
        }
      }
      await writeAll(file, untilFailure(), offset);
      if (failure) throw failure.error;
    } catch (error) {
      throw orUnusable(error, this.#growing(key));
    } finally {
      await file.close();
    }
  }

  async finish(key: string): Promise<void> {
    const path = this.#pathOf(key);
    // If it is already renamed, continue: the folder may not be synced yet.
    await rename(this.#growing(key), path).catch(async (error: unknown) => {
      if (!(await ifThere(stat(path)))) throw error;
    });
    await syncFolders(dirname(path), dirname(path));
  }

  #pathOf(key: string): string {
    if (!KEY.test(key) || key.length > 200) throw new Error(`Invalid file key: ${JSON.stringify(key)}.`);
    return join(this.#folder, key);
  }

  #growing(key: string): string {
    return `${this.#pathOf(key)}.growing${PARTIAL}`;
  }
}

/** Creates a file and its folders. `highest` is the topmost folder with a new entry. */
async function create(path: string): Promise<{ file: FileHandle; highest: string }> {
  const folder = dirname(path);
  const made = await makeFolder(folder, FOLDER_MODE);
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, FILE_MODE);
  return { file, highest: made === undefined ? folder : dirname(made) };
}

/** Writes content to a file, which is synced and closed. */
function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>, start = 0): Promise<void> {
  return pipeline(content, file.createWriteStream({ start, flush: true }));
}

/** A new file survives a power failure only after fsync of its folder and of all new parent folders. */
async function syncFolders(deepest: string, highest: string): Promise<void> {
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

/** The same error, or `ServiceUnavailable` if the folder or the disk is the cause. Its cause is for the operator. */
function orUnusable(error: unknown, path: string): unknown {
  const cause = explainDiskError(error, path);
  if (!(cause instanceof StorageError)) return error;
  const problem =
    cause.reason === 'full' ? 'The disk of the server is full' : 'The server cannot use its upload folder';
  return Object.assign(
    new ServiceUnavailable(`${problem}: files cannot be stored. Ask the administrator of the server.`),
    { cause },
  );
}

/** The result, or undefined if the path does not exist. */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
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
    const code = codeOf(error);
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
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
