import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isRecord } from '../base/keys.ts';
import { present } from '../base/present.ts';
import { parsedJson } from './entry-names.ts';
import { BadExport, type SourceReport } from './source.ts';

/** Bytes of a line: a message with all of its replies. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Bytes to read at once where lines follow each other. */
const WINDOW_BYTES = 1024 * 1024;
/** Posts and direct messages are in two parts of a file. Messages in the order of time come from both in turn. */
const MAX_WINDOWS = 4;
/** Bytes between two lines that count as following each other. */
const NEAR_BYTES = 64 * 1024;

interface Window {
  offset: number;
  bytes: Buffer;
}

/** Where a line is in its file. */
export interface Line {
  number: number;
  offset: number;
  length: number;
}

/** A JSON Lines file. Reads it once in order, then single lines by their position. */
export class JsonLines {
  readonly #windows: Window[] = [];

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string): Promise<JsonLines> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw new BadExport(`Cannot read ${path} (${error.code}).`);
    });
    return new JsonLines(path, file);
  }

  /** The objects of all lines. Reports lines that are not objects. */
  async *objects(report: SourceReport): AsyncGenerator<[value: Record<string, unknown>, line: Line]> {
    for await (const line of this.#lines()) {
      if (line.length === 0) continue;
      const value = await this.read(line).catch((error: unknown) => {
        if (!(error instanceof BadExport)) throw error;
        report.reject(`line ${line.number}`, error.message);
        return undefined;
      });
      if (value) yield [value, line];
    }
  }

  /** @throws BadExport unless the line is a JSON object, in UTF-8, and not too long */
  async read({ number, offset, length }: Line): Promise<Record<string, unknown>> {
    if (length > MAX_LINE_BYTES) throw new BadExport(`The line is longer than ${MAX_LINE_BYTES} bytes.`);
    const value = parsedJson(`line ${number}`, await this.#bytes(offset, length));
    if (!isRecord(value)) throw new BadExport(`Line ${number} is not a JSON object.`);
    return value;
  }

  /** Reads ahead after a line that follows another, and only the line elsewhere. */
  async #bytes(offset: number, length: number): Promise<Buffer> {
    const endOf = (window: Window) => window.offset + window.bytes.length;
    const isNear = (window: Window) => offset >= window.offset && offset <= endOf(window) + NEAR_BYTES;
    let window = this.#windows.find(isNear);
    if (!window || offset + length > endOf(window)) {
      const bytes = Buffer.alloc(window ? Math.max(length, WINDOW_BYTES) : length);
      const { bytesRead } = await this.file.read(bytes, 0, bytes.length, offset);
      if (window) this.#windows.splice(this.#windows.indexOf(window), 1);
      window = { offset, bytes: bytes.subarray(0, bytesRead) };
      this.#windows.push(window);
      if (this.#windows.length > MAX_WINDOWS) this.#windows.shift();
    }
    return window.bytes.subarray(offset - window.offset, offset - window.offset + length);
  }

  /** The positions of the lines. */
  async *#lines(): AsyncGenerator<Line> {
    let start = 0;
    let number = 1;
    let offset = 0;
    for await (const piece of createReadStream(this.path, { highWaterMark: 1024 * 1024 })) {
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) {
        yield { number: number++, offset: start, length: offset + at - start };
        start = offset + at + 1;
      }
      offset += piece.length;
    }
    if (offset > start) yield { number, offset: start, length: offset - start };
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** The messages of lines, each with its replies, in the order of their times. */
export class MessageIndex {
  readonly #times: number[] = [];
  readonly #lines: Line[] = [];
  readonly #replies: number[] = [];

  add(time: number, line: Line, replyAt: number): void {
    this.#times.push(time);
    this.#lines.push(line);
    this.#replies.push(replyAt);
  }

  *inOrder(): Generator<[line: Line, replyAt: number]> {
    const order = Uint32Array.from(this.#times.keys()).sort(
      (a, b) => present(this.#times[a]) - present(this.#times[b]) || a - b,
    );
    for (const at of order) yield [present(this.#lines[at]), present(this.#replies[at])];
  }
}
