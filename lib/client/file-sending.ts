import { Readable } from 'node:stream';
import type { FormData } from 'undici';
import { knownSize, namedFile, piecesOf, type StreamedFile } from '../base/schemas.ts';

/** The content of a file on its way to a server: only what the server accepts is in memory. */
export class OutgoingContent {
  readonly body: Readable;
  /** Error of reading the file. Errors of the connection are not stored here. */
  failure: unknown;
  readonly #aborting = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param timeout milliseconds in which the server must accept data, or respond after the last byte */
  constructor(content: AsyncIterable<Uint8Array>, timeout: number) {
    const stalled = () => this.#aborting.abort(new Error(`the server accepted no data for ${timeout} ms`));
    this.#timer = setTimeout(stalled, timeout);
    this.body = Readable.from(this.#pieces(content[Symbol.asyncIterator]()), { objectMode: false });
  }

  /** Aborted after the timeout. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.body.destroy();
  }

  async *#pieces(pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = await pieces.next().catch((error: unknown) => {
          this.failure = error;
          throw error;
        });
        this.#timer.refresh();
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
}

/** Adds the fields and the file of an operation to an empty form. The file is streamed. */
export function multipartForm(
  form: FormData,
  fields: URLSearchParams,
  file: Blob | StreamedFile,
  timeout: number,
): { form: FormData; content: OutgoingContent } {
  for (const [name, value] of fields) form.append(name, value);
  const named = namedFile(file);
  const content = new OutgoingContent(piecesOf(named.content), timeout);
  form.append('file', new FilePart(content.body, named));
  return { form, content };
}

/** A file that undici reads from a stream. Its size may be unknown. */
class FilePart extends File {
  readonly #body: Readable;
  readonly #size: number | undefined;

  constructor(body: Readable, file: StreamedFile) {
    super([], file.name || 'uploaded-file', { type: file.type ?? '' });
    this.#body = body;
    this.#size = knownSize(file);
  }

  override get size(): number {
    return this.#size as number;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
  }
}
