import busboy from 'busboy';
import { BadRequest, type FileParameter } from '../lib/internal.ts';
import { type BodyRequest, FileTooLarge, readBody } from './body-stream.ts';
import { type Form, MAX_FIELD_NAME, MAX_FIELDS, nameTooLong, noFields, notUtf8, tooManyFields } from './form.ts';

/**
 * Reads the fields of a multipart form, and its file if the operation takes one. The name of the file part does not
 * matter, because clients differ. Other files are discarded as they arrive.
 * @param limit maximum bytes of the form without the file
 */
export async function readMultipart(req: BodyRequest, limit: number, takes?: FileParameter): Promise<Form> {
  const fields = noFields();
  let file: File | undefined;
  let failure: BadRequest | undefined;
  const fail = (error: BadRequest) => {
    failure ??= error;
  };
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: { fields: MAX_FIELDS, fieldSize: limit, fileSize: (takes?.maxBytes ?? 0) + 1 },
    });
  } catch {
    throw malformed();
  }
  parser.on('field', (name: string | undefined, value) => {
    // A part without a name is no parameter.
    if (name === undefined) return;
    if (name.length > MAX_FIELD_NAME) fail(nameTooLong());
    else if (takes && value.includes('\ufffd')) fail(notUtf8());
    else fields[name] = value;
  });
  parser.on('file', (_name, stream, { filename = '', mimeType }) => {
    const pieces: Buffer<ArrayBuffer>[] = [];
    stream.on('error', () => {}).on('data', (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
    // An empty file field of a browser.
    if (filename === '') return;
    if (!takes) fail(new BadRequest('This operation takes no file.'));
    else if (file) fail(new BadRequest('Send exactly one file.'));
    else {
      file = new File([], filename);
      stream.on('limit', () => fail(new FileTooLarge(takes.maxBytes)));
      stream.on('end', () => {
        file = new File(pieces, filename, { type: mimeType });
      });
    }
  });
  parser.on('fieldsLimit', () => fail(tooManyFields()));
  const finished = new Promise<void>((resolve) => {
    parser.on('close', resolve);
    parser.on('error', () => {
      fail(malformed());
      resolve();
    });
  });
  // The parser silently replaces invalid UTF-8, so check the bytes here. A form with a file is not text.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array) => {
    if (failure || takes) return;
    try {
      utf8.decode(piece, { stream: piece !== undefined });
    } catch {
      fail(notUtf8());
    }
  };
  await readBody(req, limit + (takes?.maxBytes ?? 0), (piece) => {
    if (failure) return;
    parser.write(piece);
    check(piece);
  }).catch((error: unknown) => {
    throw failure instanceof FileTooLarge ? failure : error;
  });
  check();
  if (!failure) {
    parser.end();
    await finished;
  }
  if (failure) throw failure;
  return file ? { fields, file } : { fields };
}

function malformed(): BadRequest {
  return new BadRequest('The body is not a well-formed multipart form.');
}
