import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { BadRequest } from '../lib/index.ts';
import { readBody } from './body-stream.ts';
import { type Fields, MAX_FIELD_NAME, MAX_FIELDS, nameTooLong, noFields, notUtf8, tooManyFields } from './form.ts';

/** The fields of a multipart form. No operation takes files here: their bytes are thrown away as they arrive. */
export async function readMultipart(req: IncomingMessage, limit: number): Promise<Fields> {
  const fields = noFields();
  let failure: BadRequest | undefined;
  const fail = (error: BadRequest) => {
    failure ??= error;
  };
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: { fields: MAX_FIELDS, fieldSize: limit },
    });
  } catch {
    throw malformed();
  }
  parser.on('field', (name: string | undefined, value) => {
    // A part without a name is nobody's parameter.
    if (name === undefined) return;
    if (name.length > MAX_FIELD_NAME) fail(nameTooLong());
    else fields[name] = value;
  });
  parser.on('file', (_name, stream) => {
    stream.on('error', () => {}).resume();
    fail(new BadRequest('This operation takes no files.'));
  });
  parser.on('fieldsLimit', () => fail(tooManyFields()));
  const finished = new Promise<void>((resolve) => {
    parser.on('close', resolve);
    parser.on('error', () => {
      fail(malformed());
      resolve();
    });
  });
  // The parser replaces broken UTF-8 silently, so the bytes are checked beside it.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Buffer) => {
    if (failure) return;
    try {
      utf8.decode(piece, { stream: piece !== undefined });
    } catch {
      fail(notUtf8());
    }
  };
  await readBody(req, limit, (piece) => {
    if (failure) return;
    parser.write(piece);
    check(piece);
  });
  check();
  if (!failure) {
    parser.end();
    await finished;
  }
  if (failure) throw failure;
  return fields;
}

function malformed(): BadRequest {
  return new BadRequest('The body is not a well-formed multipart form.');
}
