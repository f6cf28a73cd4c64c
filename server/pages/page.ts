import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { ByteRange } from '../../lib/index.ts';
import { NotFound, type OpenUpload } from '../../lib/internal.ts';
import { acceptedEncoding, compressedOnce, MIN_COMPRESSED_BYTES, variedByEncoding } from '../compression.ts';
import { recordOf } from '../request-record.ts';
import { AnswerBrokeOff } from '../respond.ts';
import { LARGE_RESPONSE_BYTES } from '../unsent-answers.ts';

/** A request for a page. */
export interface PageCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Path below the prefix. */
  readonly path: string;
  /** Path the chat is mounted at, without a trailing slash. */
  readonly base: string;
}

/** A response outside of the API. */
export interface Page {
  /** Default 200. */
  readonly status?: number;
  readonly bytes: Uint8Array | StoredBytes;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, for pages that are not cached. */
  readonly cookies?: readonly string[];
}

/** Stored bytes that are read while they are sent. */
type StoredBytes = Omit<OpenUpload, 'name' | 'content_type'>;

/** A redirect, by default one that is not cached. After a form: `status` 303. */
export const redirectTo = (location: string, headers: Page['headers'] = {}, status: 302 | 303 = 302): Page => ({
  status,
  bytes: Buffer.alloc(0),
  headers: { Location: location, 'Cache-Control': 'no-store', ...headers },
});

/** Types that compression makes much smaller. Images are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|javascript)\b|image\/svg\+xml)/;

/** Milliseconds. A client that reads nothing for this long counts as gone. */
const STALLED_MS = 120_000;

const tags = new WeakMap<Uint8Array, string>();

/**
 * Sends a page: nothing if the client has the current version (304), or the requested range. Stored content is
 * streamed, uncompressed.
 * @param admit called before a large page from memory is sent; may throw
 * @throws AnswerBrokeOff if stored content cannot be read to its end
 */
export async function sendPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: Page,
  admit: (bytes: number) => void,
): Promise<void> {
  const isFixed = hasValidators(req, page);
  const { status = 200, bytes, headers } = isFixed ? await encodedPage(req, res, page) : page;
  const validators: Record<string, string> = isFixed ? validatorsOf(bytes) : {};
  const all: Record<string, string> = { ...headers, ...validators, 'X-Content-Type-Options': 'nosniff' };
  if (isFixed && isUnchanged(req, validators)) {
    const { 'Content-Type': _, 'Content-Disposition': __, ...rest } = all;
    res.writeHead(304, rest).end();
  } else if (bytes instanceof Uint8Array) {
    if (bytes.length >= LARGE_RESPONSE_BYTES && req.method !== 'HEAD') admit(bytes.length);
    else res.setTimeout(STALLED_MS, () => res.destroy());
    // Node omits the body of a response to HEAD.
    const cookies = page.cookies && page.cookies.length > 0 ? { 'Set-Cookie': [...page.cookies] } : {};
    res.writeHead(status, { ...all, ...cookies, 'Content-Length': bytes.length }).end(bytes);
  } else await sendStored(req, res, bytes, all);
}

const hasValidators = ({ method }: IncomingMessage, { status = 200, headers }: Page) =>
  status === 200 && !/no-store/.test(headers['Cache-Control'] ?? '') && method !== 'POST';

/** The page as the client accepts it. Compressed bytes have a tag of their own. */
async function encodedPage(req: IncomingMessage, res: ServerResponse, page: Page): Promise<Page> {
  const { bytes, headers } = page;
  const isText = COMPRESSIBLE.test(headers['Content-Type'] ?? '') && headers['Content-Encoding'] === undefined;
  if (!isText || !(bytes instanceof Uint8Array) || bytes.length < MIN_COMPRESSED_BYTES) return page;
  const encoding = acceptedEncoding(req);
  const varied = { ...headers, Vary: variedByEncoding(res) };
  if (!encoding) return { ...page, headers: varied };
  const compressed = await compressedOnce(bytes, encoding);
  return { ...page, bytes: compressed, headers: { ...varied, 'Content-Encoding': encoding } };
}

/** Sends stored content or a range of it. @param headers with its validators */
async function sendStored(
  req: IncomingMessage,
  res: ServerResponse,
  { size, read }: StoredBytes,
  headers: Record<string, string>,
): Promise<void> {
  const range = rangeOf(req, size, headers);
  if (range === 'unsatisfiable') {
    res.writeHead(416, { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
    return;
  }
  const length = range ? range.end - range.start + 1 : size;
  // Open it before the headers go out, so that a missing file is a proper error.
  const content = req.method === 'HEAD' || length === 0 ? undefined : await read(range);
  res.setTimeout(STALLED_MS, () => res.destroy());
  const partial = range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` };
  res.writeHead(range ? 206 : 200, { ...headers, 'Accept-Ranges': 'bytes', ...partial, 'Content-Length': length });
  if (content) await pipeContent(req, res, content, length);
  else res.end();
}

/** A client that leaves is not a failure. */
async function pipeContent(req: IncomingMessage, res: ServerResponse, content: Readable, length: number) {
  let failure: AnswerBrokeOff | undefined;
  const fail = (error: unknown) => {
    if (failure || res.destroyed) return;
    failure = new AnswerBrokeOff(error);
    // The record ends with the response, before the error is thrown.
    const record = recordOf(req);
    if (record) record.hasBrokenOff = true;
  };
  content.once('error', fail);
  await pipeline(content, (pieces) => measured(pieces, length, fail), res).catch((error: unknown) => {
    // Ignore the error if the client left.
    if (failure || !res.destroyed) throw failure ?? error;
  });
}

/** Checks that the number of bytes is as announced. */
async function* measured(pieces: AsyncIterable<Buffer>, length: number, fail: (error: Error) => void) {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > length) break;
    yield piece;
  }
  if (size === length) return;
  const error = new Error(`Expected ${length} bytes of a stored file, but read ${size}.`);
  fail(error);
  throw error;
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

function isUnchanged({ headers }: IncomingMessage, validators: Record<string, string>): boolean {
  const { ETag: tag, 'Last-Modified': modified } = validators;
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.split(',').some((known) => ['*', tag].includes(known.trim().replace(/^W\//, '')));
  }
  // A missing date is NaN.
  return Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(modified ?? '');
}

/** A single range. For several ranges, the response is the whole page. */
function rangeOf(
  { headers }: IncomingMessage,
  size: number,
  validators: Record<string, string>,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(headers.range ?? '') ?? [];
  if ((from === '' && to === '') || !isCurrent(headers['if-range'], validators)) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

const isCurrent = (condition: unknown, { ETag: tag, 'Last-Modified': modified }: Record<string, string>) =>
  condition === undefined || condition === tag || condition === modified;

/**
 * The place of a file that the build puts next to the server code. If a bundler has moved the code, the file is in the
 * installed package.
 * @param folder of `dist`
 * @throws NotFound if a bundler has omitted the files
 */
export function bundledFile(folder: 'images' | 'web', name: string): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), folder, name);
  if (existsSync(beside)) return beside;
  try {
    const manifest = createRequire(import.meta.url).resolve('parlance-chat/package.json');
    const installed = join(dirname(manifest), 'dist', folder, name);
    if (existsSync(installed)) return installed;
  } catch {
    // The bundle does not include the package.
  }
  const path = folder === 'web' ? `/static/${name}` : `/${name}`;
  throw new NotFound(
    `${path}: the bundle does not include this file. Copy parlance-chat/dist/${folder} next to the bundle`,
  );
}
