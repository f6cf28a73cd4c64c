import { constants } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppendableStore } from './files.ts';
import { ifThere, makeFolder, orNoRoom, syncFolders, writeAll } from './local-disk.ts';

interface Modes {
  folder: number;
  file: number;
}

/** Local files that arrive in several parts. Each grows under a temporary name and is renamed when complete. */
export class LocalGrowingFiles implements AppendableStore {
  readonly #pathOf: (key: string) => string;
  readonly #partialOf: (key: string) => string;
  readonly #modes: Modes;

  /** @param ending suffix of the names of incomplete files */
  constructor(pathOf: (key: string) => string, ending: string, modes: Modes) {
    this.#pathOf = pathOf;
    this.#partialOf = (key) => `${pathOf(key)}.growing${ending}`;
    this.#modes = modes;
  }

  async begin(key: string): Promise<void> {
    const partial = this.#partialOf(key);
    const folder = dirname(partial);
    const made = await makeFolder(folder, this.#modes.folder);
    await (await open(partial, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, this.#modes.file)).close();
    await syncFolders(folder, made === undefined ? folder : dirname(made));
  }

  async offset(key: string): Promise<number | undefined> {
    const file = await ifThere(open(this.#partialOf(key), constants.O_RDWR));
    if (!file) return (await ifThere(stat(this.#pathOf(key))))?.size;
    try {
      // The process that wrote it may have crashed before its own fsync.
      await file.sync();
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(this.#partialOf(key), constants.O_WRONLY);
    try {
      const { size } = await file.stat();
      if (size !== offset) throw new Error(`The file ends at ${size}, not at ${offset}.`);
      const kept = new Kept(content);
      await writeAll(file, kept, offset);
      await file.sync();
      if (kept.failure !== undefined) throw kept.failure;
    } catch (error) {
      throw orNoRoom(error);
    } finally {
      await file.close();
    }
  }

  async finish(key: string): Promise<void> {
    const path = this.#pathOf(key);
    // If it is already renamed, continue: the folder may not be synced yet.
    await rename(this.#partialOf(key), path).catch(async (error: unknown) => {
      if (!(await ifThere(stat(path)))) throw error;
    });
    await syncFolders(dirname(path), dirname(path));
  }
}

/** Content that ends normally at a failure and keeps the error, so that the bytes before it are written. */
class Kept implements AsyncIterable<Uint8Array> {
  failure: unknown;

  constructor(private readonly content: AsyncIterable<Uint8Array>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.content;
    } catch (error) {
      this.failure = error ?? new Error('The content failed.');
    }
  }
}
