import type { FileStore } from '../adapters/files.ts';
import { counted } from '../base/counted.ts';
import { storedAt } from '../domains/uploads/stored-file.ts';
import type { Keepable } from '../storage/maintenance/tables.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type KeepingStep, stillStored } from './back-up.ts';

const FILES_AT_A_TIME = 8;

interface FileCopyOptions {
  files?: { from: FileStore; to: FileStore } | undefined;
  allowMissingFiles?: boolean | undefined;
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/** The uploaded files of an organization that moves. */
export class FileCopies {
  readonly #copied = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(
    private readonly from: Keepable,
    private readonly options: FileCopyOptions,
  ) {}

  /** Number of files in the new store. */
  get count(): number {
    return this.#copied.size;
  }

  /** Copies those that were not copied before. */
  async copy(source?: Connection): Promise<void> {
    const { files, onStep } = this.options;
    if (!files) return;
    const list = async (connection: Connection) =>
      connection.all<{ file_key: string; size: number }>('SELECT file_key, size FROM uploads WHERE is_complete = 1');
    const uploads = await (source ? list(source) : this.from.inspect(list));
    const waiting = uploads.filter((upload) => !this.#copied.has(storedAt(upload)));
    const copyNext = async () => {
      for (let upload = waiting.pop(); upload; upload = waiting.pop()) {
        const key = storedAt(upload);
        if ((await files.to.size(key)) !== upload.size) {
          const content = await files.from.read(key);
          if (!content) {
            this.#missing.add(key);
            continue;
          }
          await files.to.write(key, content);
        }
        this.#copied.add(key);
        onStep?.({ what: 'files', done: this.#copied.size, total: uploads.length });
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_A_TIME }, copyNext));
  }

  /** @throws StorageError if files are missing that users have not just removed */
  async check(): Promise<void> {
    if (this.#missing.size === 0 || this.options.allowMissingFiles) return;
    const [first, ...others] = await stillStored(this.from, [...this.#missing]);
    if (first === undefined) return;
    const what = counted(others.length + 1, 'uploaded file');
    throw new StorageError(`The file store lacks ${what}, such as ${first}. Nothing was moved.`, 'files-missing');
  }
}
