import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { codeOf } from '../base/caught.ts';
import { type ExportManifest, FILE_LIST, MANIFEST } from '../domains/exports/format.ts';
import type { ExportTarget, Written } from '../domains/exports/write-export.ts';
import { explainDiskError } from '../storage/disk-errors.ts';
import { StorageError } from '../storage/storage-error.ts';

/** Marks a folder with an export that is not complete. */
const MARK = 'export.unfinished.json';
const PARTIAL = '.partial';
const FILES = 'files';

interface Mark {
  uuid: string;
  process: number;
  host: string;
}

/** Folders to which this process exports. */
const taken = new Set<string>();

/** A folder that only its owner can read. Each file gets its name when it is complete. */
export class ExportFolder implements ExportTarget {
  readonly #written = new Set<string>();

  private constructor(private readonly path: string) {
    taken.add(path);
  }

  /**
   * Takes a new or empty folder, or one with an unfinished export of the same organization.
   * @throws StorageError `busy` if another process exports to it, or `foreign-application` for another folder
   */
  static async take(given: string, uuid: string): Promise<ExportFolder> {
    const path = resolve(given);
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const mark: Mark = { uuid, process: process.pid, host: hostname() };
      await takeMark(path, mark);
      await mkdir(join(path, FILES), { recursive: true, mode: 0o700 });
      return new ExportFolder(path);
    } catch (error) {
      throw explainDiskError(error, path);
    }
  }

  async add(name: string, content: AsyncIterable<Uint8Array>): Promise<Written> {
    const path = join(this.path, name);
    const hash = createHash('sha256');
    let size = 0;
    let file: FileHandle | undefined;
    try {
      // A link that waits here is not followed.
      await rm(path + PARTIAL, { force: true });
      file = await open(path + PARTIAL, 'wx', 0o600);
      for await (const piece of content) {
        hash.update(piece);
        size += piece.length;
        await file.writeFile(piece);
      }
      await file.sync();
    } catch (error) {
      throw explainDiskError(error, path);
    } finally {
      await file?.close();
    }
    await rename(path + PARTIAL, path);
    this.#written.add(name);
    return { size, sha256: hash.digest('hex') };
  }

  async present(name: string, size: number): Promise<Written | undefined> {
    const path = join(this.path, name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size !== size) return undefined;
    this.#written.add(name);
    return { size, sha256: await digestOf(path) };
  }

  /** Removes the mark, and files of an earlier run that the export does not have. */
  async finish({ tables }: ExportManifest): Promise<void> {
    const own = new Set([...tables.map(({ name }) => `${name}.jsonl`), FILE_LIST, MANIFEST, FILES]);
    for (const name of await readdir(this.path)) if (!own.has(name) && name !== MARK) await this.#remove(name);
    for (const name of await readdir(join(this.path, FILES)))
      if (!this.#written.has(`${FILES}/${name}`)) await this.#remove(join(FILES, name));
    await rm(join(this.path, MARK));
    await syncFolder(this.path);
  }

  /** Another export may continue in this folder. */
  release(): void {
    taken.delete(this.path);
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.path, name), { force: true });
  }
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

async function takeMark(path: string, mark: Mark): Promise<void> {
  const names = await readdir(path);
  if (names.length === 0) {
    await chmod(path, 0o700);
    // `wx`: another process may have taken the folder now.
    await writeFile(join(path, MARK), JSON.stringify(mark), { flag: 'wx', mode: 0o600 }).catch(
      async (error: unknown) => {
        if (codeOf(error) === 'EEXIST') throw inUse(path);
        // On a full disk, it is empty.
        await rm(join(path, MARK), { force: true });
        throw error;
      },
    );
    return;
  }
  // A killed process may have left the mark under the name of `claimed`.
  const marked = names.find((name) => name.startsWith(MARK));
  const found = marked === undefined ? undefined : markIn(await readFile(join(path, marked), 'utf8'));
  if (marked === undefined || !found) {
    const what = names.includes(MANIFEST) ? 'contains a complete export' : 'is not empty';
    throw new StorageError(`${path} ${what}. Choose a new folder.`, 'foreign-application');
  }
  if (found.uuid !== mark.uuid)
    throw new StorageError(
      `${path} contains an unfinished export of another organization. Choose a new folder.`,
      'foreign-application',
    );
  if (isRunning(found, path)) throw inUse(path);
  // Of two processes that continue, one renames the mark.
  const claimed = join(path, `${MARK}.${randomBytes(6).toString('hex')}`);
  await rename(join(path, marked), claimed).catch(() => {
    throw inUse(path);
  });
  await writeFile(claimed, JSON.stringify(mark));
  await rename(claimed, join(path, MARK));
}

function markIn(text: string): Mark | undefined {
  try {
    const { uuid, process: id, host } = JSON.parse(text) as Partial<Mark>;
    return typeof uuid === 'string' && typeof id === 'number' && typeof host === 'string'
      ? { uuid, process: id, host }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The ID of a process means nothing on another host. */
function isRunning({ process: id, host }: Mark, path: string): boolean {
  if (host !== hostname()) return false;
  if (id === process.pid) return taken.has(path);
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const inUse = (path: string) =>
  new StorageError(`Another process exports to ${basename(path)}. Wait until it ends, then try again.`, 'busy');

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders and needs no fsync of them.
  if (process.platform === 'win32') return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
