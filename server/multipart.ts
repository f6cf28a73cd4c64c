import type { IncomingHttpHeaders } from 'node:http';
import { finished, type Readable } from 'node:stream';
import busboy from 'busboy';
import { BadRequest, ChunkList, type FileParameter, present } from '../lib/internal.ts';
import {
  BodyTooLarge,
  FileTooLarge,
  type Form,
  MAX_FIELD_NAME,
  MAX_FIELDS,
  nameTooLong,
  noFields,
  notUtf8,
  tooManyFields,
} from './form.ts';

/** A body that is read in pieces. `return` ends the wait for a piece. */
export interface ArrivingBody extends AsyncIterableIterator<Uint8Array> {
  return(): Promise<IteratorResult<Uint8Array>>;
}

/**
 * Reads the fields of a multipart form, and its file if the operation takes one. The name of the file part does not
 * matter, because clients differ. Resolves at a streamed file: reading the file fails if the form is malformed, has a
 * second file or breaks off. The caller must drain the rest of a refused request.
 * @param limit maximum bytes of the form without the file
 */
export function readMultipart(
  headers: IncomingHttpHeaders,
  body: ArrivingBody,
  limit: number,
  takes?: FileParameter,
): Promise<Form> {
  const { maxBytes = 0, isStreamed = false } = takes ?? {};
  try {
    const parser = busboy({
      headers,
      defParamCharset: 'utf8',
      preservePath: isStreamed,
      limits: { fields: MAX_FIELDS, fieldSize: limit, ...(isStreamed ? {} : { fileSize: maxBytes + 1 }) },
    });
    return new MultipartReader(parser, body, limit, takes).read(headers['content-type']);
  } catch {
    return Promise.reject(malformed());
  }
}

class MultipartReader {
  readonly #fields = noFields();
  #file: Form['file'];
  #part: Readable | undefined;
  #failure: Error | undefined;
  /** Bytes that count for the limit: not those of a streamed file. */
  #size = 0;
  /** The parser silently replaces invalid UTF-8, so the bytes are checked. A form with a file is not text. */
  readonly #utf8: TextDecoder | undefined;
  readonly #closed: Promise<void>;
  #whole: Promise<void> = Promise.resolve();
  #resolve: (form: Form) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly parser: busboy.Busboy,
    private readonly body: ArrivingBody,
    private readonly limit: number,
    private readonly takes: FileParameter | undefined,
  ) {
    this.#utf8 = takes ? undefined : new TextDecoder('utf-8', { fatal: true });
    this.#closed = new Promise((done) => finished(parser, () => done()));
  }

  read(contentType: string | undefined): Promise<Form> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.parser.on('field', (name: string | undefined, value: string | undefined, info) => {
        // A part without a name is no parameter.
        if (name === undefined) return;
        const error = this.#fieldError(name, value, info);
        if (error) this.#fail(error);
        else this.#fields[name] = present(value);
      });
      this.parser.on('file', (_name, stream, info) => this.#takeFile(stream, info));
      this.parser.on('fieldsLimit', () => this.#fail(tooManyFields()));
      this.parser.on('error', () => this.#fail(malformed()));
      this.#whole = this.#feed(contentType).then(() => {
        if (this.#failure) throw this.#failure;
        resolve(this.#file ? { fields: this.#fields, file: this.#file } : { fields: this.#fields });
      });
      this.#whole.catch((error) => this.#fail(error));
    });
  }

  async #feed(contentType: string | undefined): Promise<void> {
    const { parser, takes } = this;
    const most = this.limit + (takes?.isStreamed ? 0 : (takes?.maxBytes ?? 0));
    for await (const piece of withReadableNames(joined(this.body), contentType)) {
      if (!takes?.isStreamed || !this.#part || this.#part.readableEnded) this.#size += piece.length;
      if (this.#size > most) throw new BodyTooLarge(this.limit);
      if (!parser.write(piece)) await Promise.race([new Promise((done) => parser.once('drain', done)), this.#closed]);
      if (this.#failure) return;
      this.#checkUtf8(piece);
    }
    this.#checkUtf8();
    parser.end();
    await this.#closed;
  }

  #checkUtf8(piece?: Uint8Array): void {
    try {
      this.#utf8?.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8();
    }
  }

  #fieldError(name: string, value: string | undefined, { encoding, valueTruncated }: busboy.FieldInfo) {
    if (name.length > MAX_FIELD_NAME) return nameTooLong();
    if (ENCODED.has(encoding)) return encoded(encoding);
    // The parser does not know the charset of the part.
    if (value === undefined) return notUtf8();
    if (valueTruncated) return new BodyTooLarge(this.limit);
    return this.takes && this.#fieldErrorBesideFile(name, value, this.takes);
  }

  #fieldErrorBesideFile(name: string, value: string, { isStreamed = false, others = [] }: FileParameter) {
    const isParameter = others.includes(name);
    if (isStreamed && this.#part && isParameter) return new BadRequest(`Send ${name} before the file.`);
    return (!isStreamed || isParameter) && value.includes('\ufffd') ? notUtf8() : undefined;
  }

  #takeFile(stream: Readable, { filename = '', mimeType: type, encoding }: Partial<busboy.FileInfo>): void {
    stream.on('error', () => undefined);
    // A file field of a browser without a file is empty.
    if (filename === '') {
      stream.once('data', () => this.#fail(new BadRequest('Send a file with its name.')));
      return;
    }
    const error = this.#fileError(encoding);
    if (error) {
      stream.resume();
      return this.#fail(error);
    }
    this.#part = stream;
    if (this.takes?.isStreamed) {
      const content = contentOf(stream, this.#whole);
      return this.#resolve({ fields: this.#fields, file: { name: filename, type, content } });
    }
    const pieces: Buffer<ArrayBuffer>[] = [];
    stream.on('data', (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
    stream.on('limit', () => this.#fail(new FileTooLarge(this.takes?.maxBytes ?? 0)));
    stream.on('end', () => {
      this.#file = new File(pieces, filename, { type });
    });
  }

  #fileError(encoding = ''): Error | undefined {
    if (ENCODED.has(encoding)) return encoded(encoding);
    if (!this.takes) return new BadRequest('This operation takes no file.');
    return this.#part && new BadRequest('Send exactly one file.');
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    void this.body.return();
    this.#part?.destroy(error);
    this.parser.destroy();
    this.#reject(error);
  }
}

/** The file is complete only when the form is complete. */
async function* contentOf(stream: Readable, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    // Rejects with the reason, such as a form that ends inside the file.
    await whole;
    throw error;
  }
  await whole;
}

const malformed = () => new BadRequest('The body is not a well-formed multipart form.');

/** Encodings for e-mails, which change the content. The form parser does not decode them. */
const ENCODED: ReadonlySet<string> = new Set(['base64', 'quoted-printable']);
const encoded = (encoding: string) =>
  new BadRequest(`A part of the form has the Content-Transfer-Encoding "${encoding}". Send its bytes without it.`);

/** Bytes of the headers of a part. The form parser accepts no more. */
const MAX_PART_HEADERS = 16 * 1024;
const END_OF_HEADERS = '\r\n\r\n';

const PARAMETER = /;[ \t]*([\w*-]+)=("(?:[^"\\\r\n]|\\.)*"|[^;\r\n]*)/g;
const BYTES_TYPE = /^content-type:[ \t]*application\/octet-stream[ \t]*(?:;[^\r\n]*)?\r\n/im;
/** A value with charset and language (RFC 8187). */
const EXTENDED = /^[\w!#$%&+^`{}~-]+'[^']*'(?:%[0-9a-f]{2}|[\w!#$&+.^`|~-])+$/i;

/**
 * Repairs the headers of the parts of a multipart form. The form parser ignores a part with a malformed `filename*`,
 * such as the quoted ones of Postman. It takes bytes without a file name for a file. Does not change file contents.
 */
export async function* withReadableNames(
  body: AsyncIterable<Uint8Array>,
  contentType = '',
): AsyncGenerator<Uint8Array> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = Buffer.from(`\r\n--${quoted ?? plain ?? ''}\r\n`, 'latin1');
  let rest = Buffer.alloc(0);
  // The first delimiter has no line before it.
  let isInHeaders = true;
  for await (const piece of body) {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const mark = isInHeaders ? END_OF_HEADERS : delimiter;
      const at = rest.indexOf(mark);
      if (at === -1) break;
      const end = at + mark.length;
      yield isInHeaders ? repaired(rest.subarray(0, end)) : rest.subarray(0, end);
      rest = rest.subarray(end);
      isInHeaders = !isInHeaders;
    }
    isInHeaders &&= rest.length <= MAX_PART_HEADERS;
    const passed = isInHeaders ? 0 : Math.max(0, rest.length - delimiter.length + 1);
    if (passed > 0) yield rest.subarray(0, passed);
    rest = rest.subarray(passed);
  }
  if (rest.length > 0) yield rest;
}

/**
 * Removes a malformed `filename*` beside a `filename`, and quotes around one that stands alone. Removes the type of bytes
 * without a file name: such a part is a field.
 */
function repaired(headers: Buffer): Buffer {
  if (headers.length > MAX_PART_HEADERS + END_OF_HEADERS.length) return headers;
  const given = headers.toString('latin1');
  const isField = !/;\s*filename\*?=/i.test(given);
  const text = given.replace(/^content-disposition:[^\r\n]*/im, (line) => {
    const hasName = [...line.matchAll(PARAMETER)].some(([, name = '']) => name.toLowerCase() === 'filename');
    return line.replace(PARAMETER, (parameter, name: string, value: string) => {
      if (name.toLowerCase() !== 'filename*' || EXTENDED.test(value.trim())) return parameter;
      return hasName ? '' : `; ${name}=${value.replace(/^"(.*)"$/, '$1')}`;
    });
  });
  return Buffer.from(isField ? text.replace(BYTES_TYPE, '') : text, 'latin1');
}

/** Bytes to collect before they are passed on, because the pieces may be tiny. */
const HANDED_OVER = 64 * 1024;

/** Joins tiny pieces to save memory. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gathered = new ChunkList();
  for await (const piece of pieces) {
    gathered.add(piece);
    if (gathered.size >= HANDED_OVER) yield* gathered.take();
  }
  yield* gathered.take();
}
