import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { recordOf } from './request-record.ts';
import { AnswerBrokeOff } from './respond.ts';
import { LARGE } from './unsent-answers.ts';

/** What is shown at an address beside the API. */
export interface Page {
  /** Default 200. */
  readonly status?: number;
  readonly bytes: Uint8Array | StoredBytes;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes that are read while they are sent. */
export interface StoredBytes {
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
  /** Milliseconds. */
  readonly modified_ms: number;
  /** A stream that is destroyed where it is not read to its end. */
  read(range?: ByteRange): Promise<Readable>;
}

/** Both ends included. */
interface ByteRange {
  start: number;
  end: number;
}

/** Whoever takes nothing for so long is not there any more. Milliseconds. */
const STALLED_MS = 120_000;

const tags = new WeakMap<Uint8Array, string>();

/**
 * Sends a page, or as much of it as is asked for: nothing of what the client has already, a part by its range. Of what
 * is stored, no more is in memory than goes out.
 * @param admit asked about a large page that is in memory before anything of it is sent; may throw
 * @throws AnswerBrokeOff where what is stored cannot be read to its end
 */
export async function sendPage(
  req: ServerRequest,
  res: ServerAnswer,
  page: Page,
  admit: (bytes: number) => void,
): Promise<void> {
  const { status = 200, bytes, headers } = page;
  const isStored = !(bytes instanceof Uint8Array);
  const size = isStored ? bytes.size : bytes.length;
  const isFixed = status === 200 && !/no-store/.test(headers['Cache-Control'] ?? '') && req.method !== 'POST';
  const validators: Record<string, string> = isFixed ? validatorsOf(bytes) : {};
  const all = { ...headers, ...validators, 'X-Content-Type-Options': 'nosniff' };
  if (isFixed && isUnchanged(req, validators)) {
    const { 'Content-Type': _, 'Content-Disposition': __, ...rest } = all as Record<string, string>;
    res.writeHead(304, rest).end();
    return;
  }
  const range = isStored && isFixed ? rangeOf(req, size, validators) : undefined;
  const accepts = isStored ? { 'Accept-Ranges': 'bytes' } : {};
  if (range === 'unsatisfiable') {
    res.writeHead(416, { ...accepts, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
    return;
  }
  const length = range ? range.end - range.start + 1 : size;
  const partial = range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` } : {};
  const head = { ...all, ...accepts, ...partial, 'Content-Length': length };
  const sent = range ? 206 : status;
  if (!isStored || req.method === 'HEAD' || length === 0) {
    if (!isStored && length >= LARGE && req.method !== 'HEAD') admit(length);
    else res.setTimeout(STALLED_MS, () => res.destroy());
    // Node leaves the body of an answer to HEAD away by itself.
    res.writeHead(sent, head).end(isStored ? undefined : bytes);
    return;
  }
  // Opened before the head is sent, so that what is missing is an error of its own.
  const content = await bytes.read(range);
  res.strictContentLength = true;
  res.setTimeout(STALLED_MS, () => res.destroy());
  res.writeHead(sent, head);
  await sendStored(req, res, content, length);
}

/** Whoever reads it and goes away is no failure. */
async function sendStored(req: ServerRequest, res: ServerAnswer, content: Readable, length: number): Promise<void> {
  let failure: AnswerBrokeOff | undefined;
  const fail = (error: unknown) => {
    if (failure || res.destroyed) return;
    failure = new AnswerBrokeOff(error);
    // The record ends when the answer is closed, before anybody else hears of this.
    const record = recordOf(req);
    if (record) record.hasBrokenOff = true;
  };
  const whole = measured(length);
  content.once('error', fail);
  whole.once('error', fail);
  await pipeline(content, whole, res).catch((error: unknown) => {
    if (failure) throw failure;
    // The client went away.
    if (!res.destroyed) throw error;
  });
}

/** The same bytes, which have to be as many as was announced. */
function measured(length: number): Transform {
  let size = 0;
  const wrong = () => new Error(`Of a file of which ${length} bytes were to be sent, ${size} are stored.`);
  return new Transform({
    transform(piece, _encoding, done) {
      size += piece.length;
      if (size > length) done(wrong());
      else done(null, piece);
    },
    flush(done) {
      done(size < length ? wrong() : null);
    },
  });
}

function validatorsOf(bytes: Page['bytes']): Record<string, string> {
  if (!(bytes instanceof Uint8Array)) {
    return { ETag: bytes.etag, 'Last-Modified': new Date(bytes.modified_ms).toUTCString() };
  }
  let tag = tags.get(bytes);
  if (tag === undefined) {
    tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
    tags.set(bytes, tag);
  }
  return { ETag: tag };
}

function isUnchanged({ headers }: ServerRequest, validators: Record<string, string>): boolean {
  const { ETag: tag, 'Last-Modified': modified } = validators;
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
  }
  const since = headers['if-modified-since'];
  return since !== undefined && modified !== undefined && Date.parse(since) >= Date.parse(modified);
}

/** One part; whoever asks for several gets everything. */
function rangeOf(
  { headers }: ServerRequest,
  size: number,
  validators: Record<string, string>,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(headers.range ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const condition = headers['if-range'];
  const { ETag: tag, 'Last-Modified': modified } = validators;
  if (condition !== undefined && condition !== tag && condition !== modified) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}
