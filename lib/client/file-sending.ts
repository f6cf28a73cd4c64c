import { Readable } from 'node:stream';
import type { FormData } from 'undici';
import { isRereadable, knownSize, namedFile, piecesOf, type StreamedFile } from '../base/schemas.ts';
import type { ResumableFile } from './platform.ts';

/** Files above this size, in bytes, become resumable uploads. */
const RESUMABLE_BYTES = 25 * 1024 * 1024;

/** The file, if it is large enough for a resumable upload and allows to read it again. */
export function resumableFile(file: Blob | StreamedFile): ResumableFile | undefined {
  const named = namedFile(file);
  const size = knownSize(named);
  const read = reader(named.content);
  if (size === undefined || size <= RESUMABLE_BYTES || !read) return undefined;
  const memory = isRereadable(named.content) ? named.content.memory : undefined;
  return { name: named.name, type: named.type, size, read, memory };
}

function reader(content: StreamedFile['content']): ResumableFile['read'] | undefined {
  if (content instanceof Blob) return (from) => piecesOf(content.slice(from));
  if (content instanceof Uint8Array) return (from) => piecesOf(content.subarray(from));
  return isRereadable(content) ? (from) => content.from(from) : undefined;
}

/** A file in memory goes in parts of this size, which shows its progress. */
const PART_BYTES = 64 * 1024;

/** The content of a file on its way to a server: only what the server accepts is in memory. */
export class OutgoingContent {
  readonly body: Readable;
  /** Error of reading the file. Errors of the connection are not stored here. */
  failure: unknown;

  /** @param onSent called with the size of each piece, when the server accepts it */
  constructor(
    content: AsyncIterable<Uint8Array>,
    private readonly onSent: ((bytes: number) => void) | undefined,
  ) {
    this.body = Readable.from(this.#pieces(content[Symbol.asyncIterator]()), { objectMode: false });
  }

  async *#pieces(pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = await pieces.next().catch((error: unknown) => {
          this.failure = error;
          throw error;
        });
        if (piece.done) break;
        for (let at = 0; at < piece.value.length; at += PART_BYTES) {
          const part = piece.value.subarray(at, at + PART_BYTES);
          yield part;
          this.onSent?.(part.length);
        }
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
  onSent: ((bytes: number) => void) | undefined,
): { body: FormData; content: OutgoingContent } {
  for (const [name, value] of fields) form.append(name, value);
  const named = namedFile(file);
  const content = new OutgoingContent(piecesOf(named.content), onSent);
  form.append('file', new FilePart(content.body, named));
  return { body: form, content };
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
