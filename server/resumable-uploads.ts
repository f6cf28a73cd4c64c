import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isChatError } from '../lib/index.ts';
import { BadRequest, type Caller, MethodNotAllowed, type UploadProgress } from '../lib/internal.ts';
import { clientName, type Identity } from './authentication.ts';
import { arrivingBody, checkUncompressed, drain, lengthOf, mediaTypeOf } from './body.ts';
import type { ListenerContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { recordOf } from './request-record.ts';
import { type Exchange, failureOf, setErrorHeaders } from './respond.ts';
import { decodeSegment } from './router.ts';

/** Path below the API. */
export const TUS = '/tus';

const VERSION = '1.0.0';
const CONTENT_TYPE = 'application/offset+octet-stream';

/**
 * Resumable uploads with the tus protocol. `POST /api/v1/tus` creates an upload. Its `Location` takes the bytes
 * (PATCH), returns the offset (HEAD) and cancels the upload (DELETE). Responses do not have the format of the API: they
 * are empty, or `{"message"}` for an error, or `{"url", "filename"}` after the last byte.
 */
export class ResumableUploadEndpoint {
  constructor(private readonly context: ListenerContext) {}

  get #uploads() {
    return this.context.transport.resumableUploads;
  }

  /** @param path below `/tus`, percent-encoded: empty, or the path ID of an upload */
  async answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const headers = { 'Tus-Resumable': VERSION, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    const exchange = { req, res, headers };
    recordOf(req)?.note(`/api/v1${TUS}/{id}`, 'tus');
    try {
      await this.#answer(exchange, path);
    } catch (error) {
      if (!req.complete) {
        // The rest of the body would be read as the next request.
        res.shouldKeepAlive = false;
        await drain(req);
      }
      const failure = failureOf(this.context.transport.engine.logger, exchange, TUS, error);
      if (!failure) return;
      setErrorHeaders(exchange, failure);
      const { status, message } = failure;
      sendJson(exchange, isChatError(failure, 'REALM_UPLOAD_QUOTA') ? 413 : status, { message });
    }
  }

  async #answer(exchange: Exchange, path: string): Promise<void> {
    const { req, res, headers } = exchange;
    const isNew = /^\/?$/.test(path);
    const method = methodOf(req);
    const allowed = isNew ? ['OPTIONS', 'POST'] : ['DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
    if (!allowed.includes(method)) throw new MethodNotAllowed(method.slice(0, 20), allowed);
    if (method === 'OPTIONS') return this.#describe(exchange, allowed);
    const identity = await this.context.authentication.identify(req, 'user', headers);
    await this.context.rateLimits?.take(req, identity.userId, 'api_by_user', headers);
    if (req.headers['tus-resumable'] !== VERSION) {
      headers['Tus-Version'] = VERSION;
      throw new BadRequest(`Send the header Tus-Resumable: ${VERSION}.`, undefined, 412);
    }
    const caller = { ...identity, client: clientName(req) };
    if (isNew) return this.#create(exchange, caller, path === '' ? 'tus/' : '');
    const pathId = path.slice(1).split('/').map(decodeSegment).join('/');
    if (method === 'PATCH') return this.#patch(exchange, caller, pathId);
    if (method === 'HEAD') return this.#look(exchange, caller, pathId);
    await this.#uploads.end(caller, pathId);
    res.writeHead(204, headers).end();
  }

  #describe({ res, headers }: Exchange, allowed: readonly string[]): void {
    const described = {
      ...headers,
      Allow: allowed.join(', '),
      'Tus-Version': VERSION,
      'Tus-Extension': 'creation,creation-with-upload,termination,expiration',
      'Tus-Max-Size': this.#uploads.maxSize,
    };
    res.writeHead(204, described).end();
  }

  /** @param below relative path from the request to its uploads */
  async #create(exchange: Exchange, caller: Caller & Identity, below: string): Promise<void> {
    const { req, headers } = exchange;
    const size = announcedSize(req);
    const hasContent = mediaTypeOf(req) === CONTENT_TYPE;
    // Before the upload exists. One of no bytes would be complete at once, and the content would be ignored.
    if (hasContent && lengthOf(req) > size)
      throw new BadRequest('The content exceeds the announced size of the upload.', undefined, 413);
    const { filename, filetype, idempotency_key: key } = readMetadata(req);
    const content = hasContent ? contentOf(req) : undefined;
    const idempotency_key = idempotencyKeyOf(req.headers['idempotency-key'], key);
    const created = await this.#uploads.create(caller, { name: filename, type: filetype, size, idempotency_key });
    headers.Location = this.#locationOf(req, created, below);
    // Not for a repeated request whose upload has grown.
    const mayAppend = content && size > 0 && created.offset === 0;
    const progress = mayAppend
      ? await this.#uploads.append(caller, created.pathId, { offset: 0, content, length: lengthOf(req) })
      : created;
    if (content || idempotency_key !== undefined) headers['Upload-Offset'] = progress.offset;
    sendProgress(exchange, progress, 201);
  }

  /** Some clients need an absolute address. Behind a proxy that changes the host, only a relative one is sure to work. */
  #locationOf(req: IncomingMessage, { pathId }: UploadProgress, below: string): string {
    const { baseUrl } = this.context.transport.engine.options;
    const address = pathId.split('/').map(encodeURIComponent).join('/');
    if (new URL(baseUrl).host === req.headers.host) return `${baseUrl}/api/v1${TUS}/${address}`;
    const called = calledAddress(req);
    return called ? new URL(below + address, called).href : below + address;
  }

  async #patch(exchange: Exchange, caller: Caller & Identity, pathId: string): Promise<void> {
    const { req, headers } = exchange;
    if (mediaTypeOf(req) !== CONTENT_TYPE) {
      throw new BadRequest(`Content-Type must be ${CONTENT_TYPE}.`, undefined, 415);
    }
    const offset = wholeNumber(req, 'upload-offset');
    const content = contentOf(req);
    const progress = await this.#uploads.append(caller, pathId, { offset, content, length: lengthOf(req) });
    headers['Upload-Offset'] = progress.offset;
    sendProgress(exchange, progress, 204);
  }

  async #look({ res, headers }: Exchange, caller: Caller, pathId: string): Promise<void> {
    const progress = await this.#uploads.look(caller, pathId);
    headers['Upload-Offset'] = progress.offset;
    headers['Upload-Length'] = progress.size;
    headers['Upload-Metadata'] = `filename ${base64(progress.name)},filetype ${base64(progress.content_type)}`;
    res.writeHead(200, { ...headers, ...expiry(progress) }).end();
  }
}

/** Headers of proxies. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The URL that the client called. Undefined if a proxy may have changed it, or if there is no connection. */
function calledAddress(req: IncomingMessage & { originalUrl?: string }): string | undefined {
  const { headers, socket, originalUrl = req.url } = req;
  if (socket.remoteAddress === undefined || FORWARDED.some((name) => headers[name] !== undefined)) return undefined;
  const address = `${'encrypted' in socket ? 'https' : 'http'}://${headers.host}${originalUrl}`;
  return headers.host && URL.canParse(address) ? address : undefined;
}

/** @param status for an incomplete upload; 200 after the last byte */
function sendProgress(exchange: Exchange, progress: UploadProgress, status: number): void {
  const { res, headers } = exchange;
  if (progress.sent) sendJson(exchange, 200, progress.sent);
  else res.writeHead(status, { ...headers, ...expiry(progress) }).end();
}

function sendJson({ res, headers }: Exchange, status: number, body: object): void {
  const text = JSON.stringify(body);
  const content = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  res.writeHead(status, { ...headers, ...content }).end(text);
}

const expiry = ({ expires_ms }: UploadProgress) =>
  expires_ms === undefined ? {} : { 'Upload-Expires': new Date(expires_ms).toUTCString() };

/** Clients that can only send POST name the method in a header. */
function methodOf(req: IncomingMessage): string {
  const named = req.headers['x-http-method-override'];
  return req.method === 'POST' && typeof named === 'string' ? named.toUpperCase() : (req.method ?? 'GET');
}

/** @throws BadRequest */
function contentOf(req: IncomingMessage): AsyncIterable<Uint8Array> {
  checkUncompressed(req);
  return arrivingBody(req);
}

/** The size of a new upload. @throws BadRequest */
function announcedSize(req: IncomingMessage): number {
  if (req.headers['upload-concat'] !== undefined) throw new BadRequest('This server does not concatenate uploads.');
  if (req.headers['upload-defer-length'] !== undefined || req.headers['upload-length'] === undefined) {
    throw new BadRequest('Send the size of the file in bytes in the header Upload-Length.', undefined, 411);
  }
  return wholeNumber(req, 'upload-length');
}

function wholeNumber(req: IncomingMessage, header: string): number {
  const text = req.headers[header];
  const number = typeof text === 'string' && /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new BadRequest(`${header} must be a whole number of bytes.`);
  return number;
}

/** The padding may be missing. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/;

/** Reads pairs of a name and a base64 value. Ignores unknown names. */
function readMetadata(req: IncomingMessage) {
  const known: { filename: string; filetype: string; idempotency_key?: string } = { filename: '', filetype: '' };
  const text = String(req.headers['upload-metadata'] ?? '').trim();
  for (const pair of text === '' ? [] : text.split(',')) {
    const [name, bytes] = readPair(pair);
    // Different keys must not become the same.
    if (name === 'idempotency_key' && !isUtf8(bytes))
      throw new BadRequest('The idempotency_key in Upload-Metadata must be UTF-8 text, encoded with base64.');
    if (name === 'filename' || name === 'filetype' || name === 'idempotency_key') known[name] = bytes.toString('utf8');
  }
  return known;
}

function readPair(pair: string): [name: string, value: Buffer] {
  const [name = '', value = '', ...more] = pair.trim().split(/ +/);
  if (name === '' || more.length > 0 || !BASE64.test(value)) {
    throw new BadRequest('Upload-Metadata must be pairs of a name and a base64 value, separated by commas.');
  }
  return [name, Buffer.from(value, 'base64')];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
