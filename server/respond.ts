import { randomUUID } from 'node:crypto';
import { ChatError, type Logger, StorageError, Unauthorized } from '../lib/index.ts';
import { errorBody, RawJson, ServiceUnavailable, type StorageErrorReason } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { recordOf } from './request-record.ts';
import { LARGE, type UnsentAnswers } from './unsent-answers.ts';

/** Of every answer of the API: what it says is somebody's own, and true only now. */
const HEADERS: readonly string[] = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'max-age=0, no-cache, no-store, must-revalidate, private',
  'Expires',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'X-Content-Type-Options',
  'nosniff',
];

const SUCCESS = '{"result":"success","msg":""';

/**
 * @param extra more headers, names and values in turn
 * @param unsent asked about a large answer before anything of it is sent; may throw
 * @param caller by which that counts
 */
export function sendResult(
  res: ServerAnswer,
  result: object,
  extra: readonly string[],
  unsent: UnsentAnswers,
  caller: number | string,
): void {
  for (const name in result) {
    if ((result as Record<string, unknown>)[name] instanceof RawJson) {
      sendPieces(res, result as Record<string, unknown>, extra, unsent, caller);
      return;
    }
  }
  const text = JSON.stringify(result);
  const whole = text === '{}' ? `${SUCCESS}}\n` : `${SUCCESS},${text.slice(1)}\n`;
  sendText(res, 200, whole, extra, (bytes) => unsent.add(res, caller, bytes));
}

export function sendError(res: ServerAnswer, error: ChatError, extra: readonly string[]): void {
  const headers = [...extra, ...errorHeaders(error)];
  // What is left of the body would be taken for the next request.
  if (error.status === 413) res.shouldKeepAlive = false;
  sendText(res, error.status, `${JSON.stringify(errorBody(error))}\n`, headers);
}

/**
 * There is no key, and the host says that nobody is logged in. Were `Basic` named as the way in, browsers would open a
 * window for a password, and the page that asked would wait for it.
 */
export class LoginNeeded extends Unauthorized {
  constructor() {
    super('Log in, or give the e-mail address and API key of an account by HTTP Basic authentication.');
  }
}

/** Headers that go with an error, names and values in turn. */
export function errorHeaders(error: ChatError): string[] {
  const headers: string[] = [];
  if (error.code === 'UNAUTHORIZED')
    headers.push('WWW-Authenticate', `${error instanceof LoginNeeded ? 'Session' : 'Basic'} realm="zulip"`);
  const { allowed_methods: allowed, 'retry-after': retryAfter } = error.data;
  if (error.status === 405 && Array.isArray(allowed)) headers.push('Allow', allowed.join(', '));
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  return headers;
}

/**
 * Answers a request that failed. What is not a refusal is trouble of the database's or a defect of ours:
 * nothing of its cause reaches the caller but the id under which it is logged.
 */
export function sendFailure(
  logger: Logger,
  req: ServerRequest,
  res: ServerAnswer,
  path: string,
  error: unknown,
  extra: readonly string[] = [],
): void {
  const failure = failureOf(logger, req, res, path, error);
  if (failure instanceof ChatError) sendError(res, failure, extra);
  else if (failure) sendText(res, 500, `${JSON.stringify({ result: 'error', msg: failure.msg })}\n`, extra);
}

/** An answer that had begun cannot be ended, though its reader is there. */
export class AnswerBrokeOff extends Error {
  constructor(readonly reason: unknown) {
    super('The answer broke off.');
  }
}

/** What a request that failed is answered with; nothing where nobody is there, or where an answer has begun. */
export function failureOf(
  logger: Logger,
  req: ServerRequest,
  res: ServerAnswer,
  path: string,
  error: unknown,
): ChatError | { msg: string } | undefined {
  const hasBrokenOff = error instanceof AnswerBrokeOff;
  if (error instanceof ClientGone || (res.destroyed && !hasBrokenOff)) return undefined;
  if (error instanceof ChatError && !res.headersSent) return error;
  const record = recordOf(req);
  const id = record?.id ?? randomUUID();
  // An address may hold names.
  const facts = { error: hasBrokenOff ? error.reason : error, id, method: req.method, path: record?.route || path };
  logger.error(facts, hasBrokenOff ? 'an answer broke off in the middle' : 'a request failed unexpectedly');
  if (res.headersSent) {
    if (record) record.hasBrokenOff = true;
    res.destroy();
    return undefined;
  }
  if (error instanceof StorageError && !DEFECTS.has(error.reason)) return unavailable(error, id);
  return { msg: `The server could not do this; the cause is logged as ${id}.` };
}

/** Not of the database, but of the code that uses it. */
const DEFECTS: ReadonlySet<StorageErrorReason> = new Set(['ended', 'stalled']);

/** What goes by without anybody seeing to it, and after how many seconds to try again. */
const PASSING: Partial<Record<StorageErrorReason, number>> = { busy: 1, unreachable: 5, closed: 5 };

const STATES: Partial<Record<StorageErrorReason, string>> = {
  busy: 'The database is too busy.',
  full: 'The database has no space left, so nothing can be changed.',
  io: 'The disk of the database fails.',
  'read-only': 'The database can only be read, so nothing can be changed.',
  closed: 'The server is closing.',
  outdated: 'The server is older than its database; it has to be restarted with the newer version.',
};

/** In words that tell nothing of the machine; the operator finds the rest in the log. */
function unavailable({ reason }: StorageError, id: string): ServiceUnavailable {
  const state = STATES[reason] ?? 'The database cannot be used at the moment.';
  return new ServiceUnavailable(`${state} The cause is logged as ${id}.`, PASSING[reason]);
}

export function sendOptions(res: ServerAnswer, allowed: readonly string[]): void {
  res.writeHead(204, ['Allow', allowed.join(', '), ...HEADERS.slice(2)]);
  res.end();
}

function sendText(
  res: ServerAnswer,
  status: number,
  text: string,
  extra: readonly string[],
  admit?: (bytes: number) => void,
): void {
  const length = Buffer.byteLength(text);
  if (length >= LARGE) admit?.(length);
  res.writeHead(status, headersOf(length, extra));
  // Node leaves the body of an answer to HEAD away by itself.
  endWith(res, text);
}

/** Sends a result that is JSON in part. Parts that are bytes already go to the socket as they are. */
function sendPieces(
  res: ServerAnswer,
  result: Readonly<Record<string, unknown>>,
  extra: readonly string[],
  unsent: UnsentAnswers,
  caller: number | string,
): void {
  let pieces: (string | Buffer)[] | undefined;
  let text = SUCCESS;
  let length = text.length + 2;
  for (const name in result) {
    const value = result[name];
    const json = value instanceof RawJson ? value : JSON.stringify(value);
    if (json === undefined) continue;
    // Names of fields are of letters.
    text += `,"${name}":`;
    length += name.length + 4;
    if (typeof json === 'string') {
      text += json;
      length += Buffer.byteLength(json);
      continue;
    }
    length += json.bytes;
    for (const piece of json.pieces) {
      if (typeof piece === 'string') text += piece;
      else {
        pieces ??= [];
        pieces.push(text, piece);
        text = '';
      }
    }
  }
  text += '}\n';
  if (length >= LARGE) unsent.add(res, caller, length);
  res.writeHead(200, headersOf(length, extra));
  if (!pieces) {
    endWith(res, text);
    return;
  }
  res.cork();
  for (const piece of pieces) write(res, piece);
  endWith(res, text);
}

function endWith(res: ServerAnswer, text: string): void {
  if (text.length < LARGE) {
    res.end(text);
    return;
  }
  res.cork();
  write(res, text);
  res.end();
}

const encoder = new TextEncoder();

/**
 * Text that waits for its reader would wait in the heap, and bytes do not. They are in pieces of one size, each of which
 * fits where another one was: what is freed in odd sizes is of little use, and stays with the process all the same.
 */
function write(res: ServerAnswer, text: string | Buffer): void {
  if (typeof text !== 'string' || text.length < LARGE) {
    res.write(text);
    return;
  }
  for (let at = 0; at < text.length; ) {
    const piece = Buffer.allocUnsafeSlow(LARGE);
    const { read, written } = encoder.encodeInto(text.slice(at, at + LARGE), piece);
    res.write(piece.subarray(0, written));
    at += read;
  }
}

const headersOf = (length: number, extra: readonly string[]): string[] =>
  HEADERS.concat(extra, 'Content-Length', String(length));
