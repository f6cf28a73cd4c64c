import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { namedFile, piecesOf, type StreamedFile } from '../kernel/schemas.ts';
import { outgoingPieces } from './outgoing-chunks.ts';

/** A multipart form with a file, streamed: only what the server accepts is in memory. */
export class FileSending {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** Error of reading the file. */
  failure: unknown;
  readonly #aborting = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param timeout milliseconds in which the server must accept data, or respond after the last byte */
  constructor(form: URLSearchParams, file: Blob | StreamedFile, timeout: number) {
    const boundary = `parlance-${randomBytes(16).toString('hex')}`;
    const { name, type = 'application/octet-stream', content, size: known } = namedFile(file);
    const fields = [...form].map(
      ([field, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"\r\n\r\n${value}\r\n`,
    );
    const head = Buffer.from(
      `${fields.join('')}--${boundary}\r\n` +
        `Content-Disposition: form-data; name="file"; filename="${escaped(name || 'uploaded-file')}"\r\n` +
        `Content-Type: ${type.replace(/[^\x20-\x7e]/g, '')}\r\n\r\n`,
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const size = content instanceof Uint8Array ? content.length : content instanceof Blob ? content.size : known;
    this.headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(size === undefined ? {} : { 'content-length': String(head.length + size + tail.length) }),
    };
    this.#timer = setTimeout(
      () => this.#aborting.abort(new Error(`the server accepted no data for ${timeout} ms`)),
      timeout,
    );
    this.body = Readable.from(this.#pieces(head, content, tail), { objectMode: false });
  }

  /** Aborted after the timeout. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.body.destroy();
  }

  async *#pieces(head: Buffer, content: StreamedFile['content'], tail: Buffer): AsyncGenerator<Uint8Array> {
    yield head;
    yield* outgoingPieces(
      piecesOf(content),
      () => this.#timer.refresh(),
      (error) => {
        this.failure = error;
      },
    );
    yield tail;
  }
}

/** The escaping of names in multipart forms, as browsers do it. */
const escaped = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
