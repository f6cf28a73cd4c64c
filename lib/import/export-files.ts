import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isRecord } from '../base/keys.ts';
import {
  type ExportManifest,
  FILE_LIST,
  FORMAT,
  FORMAT_VERSION,
  type ListedFile,
  listedFileSchema,
  MANIFEST,
  manifestSchema,
} from '../domains/exports/format.ts';
import { MAX_JSON_BYTES, parsedJson, tooLarge } from './entry-names.ts';
import { problemOf } from './problems.ts';
import { BadExport } from './source.ts';

/** A line with a message and the longest row of the audit log fit. So does a picture of an emoji. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The files of a folder with an export of this chat. */
export class ExportFiles {
  private constructor(
    private readonly folder: string,
    readonly manifest: ExportManifest,
  ) {}

  /** @throws BadExport for another folder, and for an export of a newer version or of a part of the data */
  static async open(given: string): Promise<ExportFiles> {
    const folder = await realpath(given).catch(() => given);
    const path = join(folder, MANIFEST);
    const size = await sizeOf(path);
    if (size === undefined)
      throw new BadExport(
        `${given} is not a complete export: it has no ${MANIFEST}. Complete it with \`chatctl export\`.`,
      );
    if (size > MAX_JSON_BYTES) throw tooLarge(MANIFEST, MAX_JSON_BYTES);
    const found = parsedJson(MANIFEST, await readFile(path), { keepsMarks: true }) as {
      format?: unknown;
      version?: unknown;
    };
    if (found.format !== FORMAT) throw new BadExport(`${given} is not an export of Parlance.`);
    if (Number(found.version) > FORMAT_VERSION)
      throw new BadExport(`${given} is an export of a newer version of Parlance (format ${found.version}).`);
    const parsed = v.safeParse(manifestSchema, found);
    if (!parsed.success) throw new BadExport(`${MANIFEST}: ${problemOf(parsed.issues)}`);
    const { scope } = parsed.output;
    if (scope !== 'full')
      throw new BadExport(`${given} contains only a part of the data (${scope}). Only full exports can be imported.`);
    return new ExportFiles(folder, parsed.output);
  }

  /**
   * Reads all files and compares their digests.
   * @throws BadExport with the name of the first file that is missing or damaged
   */
  async verify(onBytes: (name: string, bytes: number) => void): Promise<void> {
    const { tables, files } = this.manifest;
    for (const { name, bytes, sha256 } of tables) await this.#verify(`${name}.jsonl`, bytes, sha256, onBytes);
    await this.#verify(FILE_LIST, files.list_bytes, files.sha256, onBytes);
    for await (const { path, size, sha256 } of this.listed()) await this.#verify(path, size, sha256, onBytes);
  }

  /** The uploaded files. */
  async *listed(): AsyncGenerator<ListedFile> {
    for await (const [row, line] of this.#objects(FILE_LIST)) {
      const parsed = v.safeParse(listedFileSchema, row);
      if (!parsed.success) throw new BadExport(`${FILE_LIST}, line ${line}: ${problemOf(parsed.issues)}`);
      yield parsed.output;
    }
  }

  rows(table: string): AsyncGenerator<[row: Record<string, unknown>, line: number]> {
    return this.#objects(`${table}.jsonl`);
  }

  content(name: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.folder, name));
  }

  async #verify(
    name: string,
    bytes: number,
    sha256: string,
    onBytes: (name: string, bytes: number) => void,
  ): Promise<void> {
    const size = await sizeOf(join(this.folder, name));
    if (size === undefined) throw new BadExport(`The export lacks the file ${name}.`);
    if (size !== bytes) throw new BadExport(`The file ${name} is damaged: it has ${size} bytes, not ${bytes}.`);
    const hash = createHash('sha256');
    let done = 0;
    for await (const piece of this.content(name)) {
      hash.update(piece);
      done += piece.length;
      onBytes(name, done);
    }
    if (hash.digest('hex') !== sha256) throw new BadExport(`The file ${name} is damaged: its SHA-256 digest differs.`);
  }

  async *#objects(name: string): AsyncGenerator<[row: Record<string, unknown>, line: number]> {
    let rest: Buffer[] = [];
    let waiting = 0;
    let number = 0;
    const objectIn = (bytes: Buffer): [row: Record<string, unknown>, line: number] => {
      const value = parsedJson(`${name}, line ${++number}`, bytes, { keepsMarks: true });
      if (!isRecord(value)) throw new BadExport(`${name}, line ${number} is not a JSON object.`);
      return [value, number];
    };
    for await (const piece of this.content(name) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, start)) {
        yield objectIn(Buffer.concat([...rest, piece.subarray(start, at)]));
        [rest, waiting, start] = [[], 0, at + 1];
      }
      if (start === piece.length) continue;
      rest.push(piece.subarray(start));
      waiting += piece.length - start;
      if (waiting > MAX_LINE_BYTES)
        throw new BadExport(`${name}, line ${number + 1} is longer than ${MAX_LINE_BYTES} bytes.`);
    }
    if (rest.length > 0) yield objectIn(Buffer.concat(rest));
  }
}

/** undefined for a missing file, and for a link: an archive may contain links to files of the operator. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}
