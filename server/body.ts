import type { IncomingMessage } from 'node:http';
import type { FileParameter } from '../lib/index.ts';
import { readBody } from './body-stream.ts';
import { type Fields, type Form, formText, noFields, readFields } from './form.ts';
import { readMultipart } from './multipart.ts';

const PLUS = 0x2b;
const SPACE = 0x20;

type FormKind = 'urlencoded' | 'multipart';

/** Which kind of form the request carries in its body; others, JSON among them, are not read at all. */
export function formKind(req: IncomingMessage): FormKind | undefined {
  const { headers } = req;
  if (headers['transfer-encoding'] === undefined) {
    const length = headers['content-length'];
    if (length === undefined || length === '0') return undefined;
  }
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return 'urlencoded';
  return type === 'multipart/form-data' ? 'multipart' : undefined;
}

/**
 * The form in the body.
 * @param limit bytes, not counting the file that the operation takes
 * @throws BadRequest for a malformed form, BodyTooLarge, FileTooLarge, CallerGone.
 */
export async function readForm(
  req: IncomingMessage,
  kind: FormKind,
  limit: number,
  takes?: FileParameter,
): Promise<Form> {
  const parsed = (req as { body?: unknown }).body;
  if (req.readableEnded || isFilled(parsed)) return { fields: fieldsOfHost(parsed) };
  if (kind === 'multipart') return readMultipart(req, limit, takes);
  const pieces: Buffer[] = [];
  await readBody(req, limit, (piece) => pieces.push(piece));
  // A copy, since others may have been given the same pieces.
  const bytes = Buffer.concat(pieces);
  // Every plus sign of a form is a space; in a text of many words this is much dearer to do later.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return { fields: readFields(formText(bytes), noFields()) };
}

/** Frameworks put an empty object there for bodies they have not touched. */
function isFilled(body: unknown): boolean {
  if (typeof body === 'object' && body !== null) return Object.keys(body).length > 0;
  return typeof body === 'string' && body !== '';
}

/** A web framework around us may have read the body already and left what it found in `req.body`. */
function fieldsOfHost(body: unknown): Fields {
  const fields = noFields();
  if (typeof body === 'string') return readFields(body, fields);
  if (Buffer.isBuffer(body)) return readFields(formText(body), fields);
  if (typeof body !== 'object' || body === null) return fields;
  for (const [name, value] of Object.entries(body)) {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) fields[name] = typeof last === 'string' ? last : JSON.stringify(last);
  }
  return fields;
}
