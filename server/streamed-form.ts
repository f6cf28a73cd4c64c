import { finished, type Readable, Transform } from 'node:stream';
import busboy from 'busboy';
import type { StreamedFile } from '../lib/index.ts';
import { BadRequest, ChunkList } from '../lib/internal.ts';
import { type BodyRequest, BodyTooLarge, ClientGone, HANDED_OVER, RequestTimeout } from './body-stream.ts';
import { type Fields, MAX_FIELD_NAME, MAX_FIELDS, nameTooLong, noFields, tooManyFields } from './form.ts';

/** Milliseconds to wait for the next bytes of a file. */
const STALLED_MS = 30_000;

/** A form whose file is streamed, and the fields before the file. */
export interface StreamedForm {
  fields: Fields;
  file?: StreamedFile;
}

/**
 * Reads a multipart form up to its file. The file is streamed. Reading it fails if the form is malformed, has a second
 * file or breaks off.
 * @param limit maximum bytes without the file
 * @throws BadRequest, BodyTooLarge, ClientGone, RequestTimeout. The caller must drain the rest of the request.
 */
export function readStreamedForm(req: BodyRequest, limit: number): Promise<StreamedForm> {
  const fields = noFields();
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      preservePath: true,
      limits: { fields: MAX_FIELDS, fieldSize: limit },
    });
  } catch {
    return Promise.reject(malformed());
  }
  return new Promise((resolve, reject) => {
    const pieces = largerPieces();
    let part: Readable | undefined;
    let isInFile = false;
    let beside = 0;
    const { promise: whole, resolve: complete, reject: breakOff } = withResolvers();
    // The reader of the file gets this error.
    whole.catch(() => undefined);
    const stalled = setTimeout(() => {
      // The consumer is slow, not the client.
      if (pieces.writableNeedDrain) stalled.refresh();
      else if (!req.complete) fail(new RequestTimeout());
    }, STALLED_MS);
    const end = () => {
      clearTimeout(stalled);
      req.off('data', refresh).off('close', onClose);
      pieces.off('data', count);
      req.unpipe(pieces);
    };
    const fail = (error: Error) => {
      end();
      breakOff(error);
      part?.destroy(error);
      reject(error);
    };
    const refresh = () => stalled.refresh();
    const count = (piece: Buffer) => {
      if (isInFile) return;
      beside += piece.length;
      if (beside > limit) fail(new BodyTooLarge(limit));
    };
    const onClose = () => {
      if (!req.complete) fail(new ClientGone());
    };
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) return;
      if (name.length > MAX_FIELD_NAME) fail(nameTooLong());
      else fields[name] = value;
    });
    parser.on('file', (_name, stream, { filename = '', mimeType }) => {
      stream.on('error', () => undefined);
      // An empty file field of a browser.
      if (filename === '') stream.resume();
      else if (part) {
        stream.resume();
        fail(new BadRequest('Send exactly one file.'));
      } else {
        part = stream;
        isInFile = true;
        finished(stream, () => {
          isInFile = false;
        });
        resolve({ fields, file: { name: filename, type: mimeType, content: contentOf(stream, whole) } });
      }
    });
    // The call failed, and the rest is drained elsewhere.
    pieces.once('unpipe', () => clearTimeout(stalled));
    parser.on('fieldsLimit', () => fail(tooManyFields()));
    parser.on('error', () => fail(malformed()));
    parser.on('close', () => {
      end();
      complete();
      resolve({ fields });
    });
    pieces.on('data', count);
    req.on('data', refresh).on('close', onClose);
    req.pipe(pieces).pipe(parser);
    if (req.destroyed && !req.complete) fail(new ClientGone());
  });
}

/** Joins tiny pieces to save memory. */
function largerPieces(): Transform {
  const gathered = new ChunkList();
  const handOver = (stream: Transform) => {
    for (const piece of gathered.take()) stream.push(piece);
  };
  return new Transform({
    transform(piece, _encoding, done) {
      gathered.add(piece);
      if (gathered.size >= HANDED_OVER) handOver(this);
      done();
    },
    flush(done) {
      handOver(this);
      done();
    },
  });
}

/** The file is complete only when the form is complete. */
async function* contentOf(stream: Readable, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* stream as AsyncIterable<Uint8Array>;
  await whole;
}

function withResolvers() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}

function malformed(): BadRequest {
  return new BadRequest('The body is not a well-formed multipart form.');
}
