import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange, FileStore } from './files.ts';
import { LocalGrowingFiles } from './local-appendable-store.ts';
import { ifThere, makeFolder, orNoRoom, syncFolders, writeAll } from './local-disk.ts';

/** Read-ahead buffer in bytes. */
const READ_AHEAD = 256 * 1024;
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

class LocalFiles implements FileStore {
  readonly #folder: string;
  readonly appendable = new LocalGrowingFiles((key) => this.#pathOf(key), PARTIAL, {
    folder: FOLDER_MODE,
    file: FILE_MODE,
  });

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key);
    const made = await makeFolder(dirname(path), FOLDER_MODE);
    // A unique temporary name, so that partial content is never readable and retries do not collide.
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
      throw orNoRoom(error);
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
    // Also remove temporary files of a process that crashed.
    const names = (await ifThere(readdir(folder))) ?? [];
    const parts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(PARTIAL));
    for (const name of [basename(path), ...parts]) await rm(join(folder, name), { force: true });
    if (folder !== this.#folder) await rmdir(folder).catch(() => undefined);
  }

  #pathOf(key: string): string {
    if (!KEY.test(key) || key.length > 200) throw new Error(`Invalid file key: ${JSON.stringify(key)}.`);
    return join(this.#folder, key);
  }
}
