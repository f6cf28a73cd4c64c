import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChatError, type Logger, StorageError, Unauthorized } from '../lib/index.ts';
import {
  type CancelSignal,
  chunked,
  errorBody,
  InternalServerError,
  joinedJson,
  RawJson,
  ServiceUnavailable,
  type StorageErrorReason,
  TimeSlice,
} from '../lib/internal.ts';
import { ClientGone } from './body.ts';
import { buffersOf, type Compression, type Encoding, MIN_COMPRESSED_BYTES, variedByEncoding } from './compression.ts';
import { recordOf } from './request-record.ts';
import { LARGE_RESPONSE_BYTES, type UnsentAnswers } from './unsent-answers.ts';

/** Headers of every API response: its content is private and valid only now. */
export const HEADERS = {
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'X-Content-Type-Options': 'nosniff',
};

/** A request, its response, and headers for `writeHead`. Node is slower after `setHeader`. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly headers: Record<string, string | number>;
  /** How to compress a result. undefined: not at all. */
  readonly encoding?: Encoding | undefined;
}

/** The shared work of sending large results. */
interface Dispatch {
  readonly unsent: UnsentAnswers;
  readonly compression: Compression;
  /** Whose work and memory it is. */
  readonly caller: number | string;
  /** Aborted when the client disconnects. */
  readonly signal: CancelSignal;
}

const SUCCESS = '{"result":"success","msg":""';

/**
 * Sends a result. Lists that are already serialized are not serialized again.
 * @throws RateLimitHit if the caller has not read other large responses
 * @throws ClientGone
 */
export async function sendResult(exchange: Exchange, result: object, dispatch: Dispatch): Promise<void> {
  const pieces: (string | Buffer)[] = [];
  let text = SUCCESS;
  for (const [name, value] of Object.entries(result)) {
    const json = typeof value === 'object' && value instanceof RawJson ? value : JSON.stringify(value);
    if (json === undefined) continue;
    text += `,${JSON.stringify(name)}:`;
    for (const piece of typeof json === 'string' ? [json] : json.pieces) {
      if (typeof piece === 'string') text += piece;
      else {
        pieces.push(text, piece);
        text = '';
      }
    }
  }
  pieces.push(`${text}}\n`);
  const length = bytesOf(pieces);
  if (length < MIN_COMPRESSED_BYTES) send(exchange, 200, pieces, length);
  else await sendLong(exchange, pieces, length, dispatch);
}

export function sendError(exchange: Exchange, error: ChatError): void {
  setErrorHeaders(exchange, error);
  // The rest of the body would be read as the next request.
  if (error.status === 413) exchange.res.shouldKeepAlive = false;
  send(exchange, error.status, [`${JSON.stringify(errorBody(error))}\n`]);
}

/** No key and no login of the host. */
export class LoginNeeded extends Unauthorized {
  constructor() {
    super('Log in, or send the e-mail address and API key of an account with HTTP Basic authentication.');
  }
}

/** Sites without TLS get no `Sec-Fetch-` headers from browsers. PowerShell is "Mozilla" too, but names no language. */
function isFromBrowser({ headers }: IncomingMessage): boolean {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return true;
  return headers['accept-language'] !== undefined && (headers['user-agent'] ?? '').startsWith('Mozilla/');
}

export function setErrorHeaders({ req, headers }: Exchange, error: ChatError): void {
  if (error.code === 'UNAUTHORIZED') {
    // After `Basic`, browsers open a password dialog, and send what they remember also with forms of other sites.
    const scheme = error instanceof LoginNeeded || isFromBrowser(req) ? 'Session' : 'Basic';
    headers['WWW-Authenticate'] = `${scheme} realm="zulip"`;
  } else if (error.status === 401 && error.code?.startsWith('TOKEN_')) {
    headers['WWW-Authenticate'] = 'Bearer realm="zulip", error="invalid_token"';
  }
  const { allowed_methods: allowed, 'retry-after': retryAfter } = error.data;
  if (error.status === 405 && Array.isArray(allowed)) headers.Allow = allowed.join(', ');
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
}

/** Answers a failed request. For a database problem or a defect, the client gets only the ID of the log line. */
export function sendFailure(logger: Logger, exchange: Exchange, path: string, error: unknown): void {
  const failure = failureOf(logger, exchange, path, error);
  if (failure) sendError(exchange, failure);
}

/** A response broke off after it began, and the client is still connected. */
export class AnswerBrokeOff extends Error {
  constructor(readonly reason: unknown) {
    super('The response broke off.');
  }
}

/** The error for the client. Undefined if the client is gone or the response has begun. */
export function failureOf(logger: Logger, exchange: Exchange, path: string, error: unknown): ChatError | undefined {
  const { req, res } = exchange;
  if (isOfClient(error, res)) return undefined;
  if (error instanceof ChatError && !res.headersSent) return error;
  const record = recordOf(req);
  const id = logFailure(logger, exchange, path, error);
  if (res.headersSent) {
    if (record) record.hasBrokenOff = true;
    res.destroy();
    return undefined;
  }
  if (error instanceof StorageError && !DEFECTS.has(error.reason)) return unavailable(error, id);
  return new InternalServerError(id);
}

const isOfClient = (error: unknown, res: ServerResponse) =>
  error instanceof ClientGone || (res.destroyed && !(error instanceof AnswerBrokeOff));

/** Returns the ID of the log line. */
function logFailure(logger: Logger, { req }: Exchange, path: string, error: unknown): string {
  const record = recordOf(req);
  const hasBrokenOff = error instanceof AnswerBrokeOff;
  const id = record?.id ?? randomUUID();
  // Log the route instead of the path, because paths may contain names.
  const facts = { error: hasBrokenOff ? error.reason : error, id, method: req.method, path: record?.route || path };
  logger.error(facts, hasBrokenOff ? 'a response broke off' : 'request failed');
  return id;
}

/** Defects of the code, not problems of the database. */
const DEFECTS: ReadonlySet<StorageErrorReason> = new Set(['ended', 'stalled']);

const UNAVAILABLE = 'The database is not available at the moment.';

/** What the client learns of a problem, with the seconds for Retry-After if it is temporary. */
const PROBLEMS: Partial<Record<StorageErrorReason, readonly [state: string, retryAfter?: number]>> = {
  busy: ['The database is too busy.', 1],
  unreachable: [UNAVAILABLE, 5],
  full: ['The database has no space left, so nothing can be changed.'],
  io: ['The disk of the database has errors.'],
  'read-only': ['The database can only be read, so nothing can be changed.'],
  closed: ['The server is shutting down.', 5],
  moved: ['The organization is moving to another database.', 1],
  outdated: ['The server is older than its database. Restart it with the newer version.'],
};

/** The message reveals nothing about the machine. Operators find details in the log. */
function unavailable({ reason }: StorageError, id: string): ServiceUnavailable {
  const [state, retryAfter] = PROBLEMS[reason] ?? [UNAVAILABLE];
  return new ServiceUnavailable(`${state} The log has the details under ${id}.`, retryAfter);
}

export function sendOptions(res: ServerResponse, allowed: readonly string[]): void {
  res.writeHead(204, { Allow: allowed.join(', '), ...HEADERS }).end();
}

async function sendLong(
  exchange: Exchange,
  pieces: readonly (string | Buffer)[],
  length: number,
  dispatch: Dispatch,
): Promise<void> {
  const { req, res, headers, encoding } = exchange;
  headers.Vary = variedByEncoding(res);
  const isHead = req.method === 'HEAD';
  const compressed = encoding && !isHead ? await compress(res, encoding, pieces, length, dispatch) : undefined;
  if (encoding && (compressed || isHead)) headers['Content-Encoding'] = encoding;
  const sentLength = compressed ? bytesOf(compressed) : length;
  if (sentLength >= LARGE_RESPONSE_BYTES) dispatch.unsent.add(res, dispatch.caller, sentLength);
  send(exchange, 200, compressed ?? pieces, sentLength);
}

async function compress(
  res: ServerResponse,
  encoding: Encoding,
  pieces: readonly (string | Buffer)[],
  length: number,
  { unsent, compression, caller, signal }: Dispatch,
): Promise<Buffer[] | undefined> {
  const release = length >= LARGE_RESPONSE_BYTES ? unsent.hold(res, caller, length) : undefined;
  const compressed = await compression.compress(pieces, length, encoding, { caller, signal }).finally(release);
  if (res.destroyed) throw new ClientGone();
  return compressed;
}

function send(
  { req, res, headers }: Exchange,
  status: number,
  pieces: readonly (string | Buffer)[],
  length = bytesOf(pieces),
): void {
  // For HEAD, the length after compression is not known.
  const isKnown = req.method !== 'HEAD' || headers['Content-Encoding'] === undefined;
  res.writeHead(status, {
    'Content-Type': 'application/json',
    ...HEADERS,
    ...headers,
    ...(isKnown && { 'Content-Length': length }),
  });
  // Node omits the body of a response to HEAD.
  const [only = ''] = pieces;
  // Node sends the headers and one text in one piece.
  if (pieces.length === 1 && only.length < LARGE_RESPONSE_BYTES) return void res.end(only);
  res.cork();
  for (const piece of pieces) {
    // Unread text would stay in the heap.
    if (typeof piece === 'string' && piece.length >= LARGE_RESPONSE_BYTES) {
      for (const buffer of buffersOf([piece])) res.write(buffer);
    } else res.write(piece);
  }
  res.end();
}

const bytesOf = (pieces: readonly (string | Buffer)[]) =>
  pieces.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0);

/** Shorter lists are written without a pause: with the longest messages, that takes a few milliseconds. */
const MIN_LARGE_LIST_ITEMS = 100;
/** With the longest messages, a part takes about a millisecond. */
const ENTRIES_PER_PART = 20;

export const hasLongList = (result: object) => Object.values(result).some(isLong);

/**
 * Serializes long lists and large objects in a response. Pauses while doing so, because writing megabytes would block
 * other requests.
 */
export async function withLongListsWritten(result: object): Promise<object> {
  const slice = new TimeSlice();
  const written: Record<string, unknown> = { ...result };
  for (const [name, value] of Object.entries(result))
    if (isLong(value)) written[name] = await writeEntries(value, slice);
  return written;
}

/** Lists of numbers are not long: writing them is faster than checking. */
function isLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > MIN_LARGE_LIST_ITEMS && typeof value[0] === 'object';
  return !(value instanceof RawJson) && Object.keys(value).length > MIN_LARGE_LIST_ITEMS;
}

async function writeEntries(value: object, slice: TimeSlice): Promise<RawJson<unknown>> {
  const isList = Array.isArray(value);
  const parts: Buffer[] = [];
  for (const part of chunked(Object.entries(value), ENTRIES_PER_PART)) {
    const entries = isList ? part.map(([, entry]) => entry) : Object.fromEntries(part);
    const json = JSON.stringify(entries).slice(1, -1);
    if (json !== '') parts.push(Buffer.from(json));
    if (slice.isOver()) await slice.next();
  }
  return joinedJson(isList ? '[]' : '{}', parts);
}
