import type { Entry, ZipFile } from 'yauzl';
import { errorOf } from '../base/caught.ts';
import { present } from '../base/present.ts';
import {
  checkEntryCount,
  checkedEntryName,
  linkRefused,
  MAX_JSON_BYTES,
  parsedJson,
  shown,
  tooLarge,
} from './entry-names.ts';
import { BadExport } from './source.ts';

const FILE_TYPE = 0o170000;
const LINK = 0o120000;

/** The entries of a ZIP file. Reads each when it is used; only the names are in memory. */
export class ZipArchive {
  private constructor(
    private readonly file: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /**
   * Checks all entries before it reads the first.
   * @throws BadExport for a file that is not a ZIP file, and for entries with unsafe names, links, and encrypted entries
   */
  static async open(path: string): Promise<ZipArchive> {
    const { openPromise } = await import('yauzl');
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true };
    const file = await openPromise(path, options).catch((error: NodeJS.ErrnoException) => {
      throw new BadExport(error.code ? `Cannot read ${path} (${error.code}).` : `${path} is not a ZIP file.`);
    });
    try {
      checkEntryCount(file.entryCount);
      const entries = new Map<string, Entry>();
      for await (const entry of file.eachEntry()) {
        const name = checkedEntryName(entry.fileNameRaw);
        if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) throw linkRefused(name);
        if (entry.isEncrypted()) throw new BadExport(`The entry "${shown(name)}" is encrypted.`);
        if (!name.endsWith('/')) entries.set(name, entry);
      }
      return new ZipArchive(file, entries);
    } catch (error) {
      file.close();
      if (error instanceof BadExport) throw error;
      throw new BadExport(`${path} is damaged: ${errorOf(error).message}.`);
    }
  }

  get names(): Iterable<string> {
    return this.entries.keys();
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** Declared bytes of an entry. 0 if there is none. */
  size(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  /** @throws BadExport if the entry is damaged, or has more bytes than it declares */
  async *stream(name: string): AsyncGenerator<Uint8Array> {
    try {
      yield* await this.file.openReadStreamPromise(present(this.entries.get(name)));
    } catch (error) {
      throw new BadExport(`The entry "${shown(name)}" is damaged: ${errorOf(error).message}.`);
    }
  }

  /** @throws BadExport also if it is not JSON, or too large */
  async json(name: string): Promise<unknown> {
    if (this.size(name) > MAX_JSON_BYTES) throw tooLarge(name, MAX_JSON_BYTES);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.stream(name)) pieces.push(piece);
    return parsedJson(name, Buffer.concat(pieces));
  }

  close(): void {
    this.file.close();
  }
}
