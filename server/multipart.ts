import type { IncomingHttpHeaders } from 'node:http';
import { finished, type Readable } from 'node:stream';
import busboy from 'busboy';
import { BadRequest, type FileParameter } from '../lib/internal.ts';
import { type ArrivingBody, BodyTooLarge, FileTooLarge, joined } from './body-stream.ts';
import { type Form, MAX_FIELD_NAME, MAX_FIELDS, nameTooLong, noFields, notUtf8, tooManyFields } from './form.ts';
import { withReadableNames } from './part-headers.ts';

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
  const fields = noFields();
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers,
      defParamCharset: 'utf8',
      preservePath: isStreamed,
      limits: { fields: MAX_FIELDS, fieldSize: limit, ...(isStreamed ? {} : { fileSize: maxBytes + 1 }) },
    });
  } catch {
    return Promise.reject(malformed());
  }
  // The parser silently replaces invalid UTF-8, so check the bytes here. A form with a file is not text.
  const utf8 = takes ? undefined : new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array) => {
    try {
      utf8?.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8();
    }
  };
  return new Promise((resolve, reject) => {
    let file: Form['file'];
    let part: Readable | undefined;
    let failure: Error | undefined;
    const fail = (error: Error) => {
      failure ??= error;
      void body.return();
      part?.destroy(error);
      parser.destroy();
      reject(error);
    };
    /** Bytes that count for the limit: not those of a streamed file. */
    let size = 0;
    const feed = async () => {
      for await (const piece of withReadableNames(joined(body), headers['content-type'])) {
        if (!isStreamed || !part || part.readableEnded) size += piece.length;
        if (size > limit + (isStreamed ? 0 : maxBytes)) throw new BodyTooLarge(limit);
        if (!parser.write(piece)) await Promise.race([new Promise((done) => parser.once('drain', done)), closed]);
        if (failure) return;
        check(piece);
      }
      check();
      parser.end();
      await closed;
    };
    parser.on('field', (name: string | undefined, value) => {
      // A part without a name is no parameter.
      if (name === undefined) return;
      if (name.length > MAX_FIELD_NAME) fail(nameTooLong());
      else if (takes && !isStreamed && value.includes('\ufffd')) fail(notUtf8());
      else fields[name] = value;
    });
    parser.on('file', (_name, stream, { filename = '', mimeType: type }) => {
      stream.on('error', () => undefined);
      // An empty file field of a browser.
      if (filename === '') return void stream.resume();
      if (!takes || part) {
        stream.resume();
        return fail(new BadRequest(takes ? 'Send exactly one file.' : 'This operation takes no file.'));
      }
      part = stream;
      if (isStreamed) return resolve({ fields, file: { name: filename, type, content: contentOf(stream, whole) } });
      const pieces: Buffer<ArrayBuffer>[] = [];
      stream.on('data', (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
      stream.on('limit', () => fail(new FileTooLarge(maxBytes)));
      stream.on('end', () => {
        file = new File(pieces, filename, { type });
      });
    });
    parser.on('fieldsLimit', () => fail(tooManyFields()));
    parser.on('error', () => fail(malformed()));
    const closed = new Promise<void>((done) => finished(parser, () => done()));
    const whole = feed().then(() => {
      if (failure) throw failure;
      resolve(file ? { fields, file } : { fields });
    });
    whole.catch(fail);
  });
}

/** The file is complete only when the form is complete. */
async function* contentOf(stream: Readable, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    // Rejects with the reason, such as a form that ends inside the file.
    await whole;
    throw error;
  }
  await whole;
}

const malformed = () => new BadRequest('The body is not a well-formed multipart form.');
