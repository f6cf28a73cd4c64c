import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isChatError } from '../lib/index.ts';
import { BadRequest, type Caller, MethodNotAllowed, type UploadProgress } from '../lib/internal.ts';
import { clientName, type Identity } from './authentication.ts';
import { drain, lengthOf } from './body-stream.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { ListenerContext } from './pipeline.ts';
import { type Exchange, failureOf, setErrorHeaders } from './respond.ts';
import { decodeSegment } from './router.ts';
import { CHECKSUM_ALGORITHMS, CheckedContents } from './upload-content.ts';

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
  readonly #contents = new CheckedContents();

  constructor(private readonly context: ListenerContext) {}

  get #uploads() {
    return this.context.transport.resumableUploads;
  }

  /** @param path below `/tus`, percent-encoded: empty, or the path ID of an upload */
  async answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const headers = { 'Tus-Resumable': VERSION, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    const exchange = { req, res, headers };
    try {
      await this.#answer(exchange, path);
    } catch (error) {
      if (!req.complete) {
        // The rest of the body would be read as the next request.
        res.shouldKeepAlive = false;
        await drain(req);
      }
      this.#refuse(exchange, error);
    }
  }

  async #answer(exchange: Exchange, path: string): Promise<void> {
    const { req, res, headers } = exchange;
    const isNew = /^\/?$/.test(path);
    const method = methodOf(req);
    const allowed = isNew ? ['OPTIONS', 'POST'] : ['DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
    if (!allowed.includes(method)) throw new MethodNotAllowed(method.slice(0, 20), allowed);
    if (method === 'OPTIONS') return this.#describe(exchange, allowed);
    const identity = await this.context.authentication.identify(req, 'user');
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

  #refuse(exchange: Exchange, error: unknown): void {
    const failure = failureOf(this.context.transport.engine.logger, exchange, TUS, error);
    if (!failure) return;
    setErrorHeaders(exchange, failure);
    const { status, message } = failure;
    sendJson(exchange, isChatError(failure, 'REALM_UPLOAD_QUOTA') ? 413 : status, { message });
  }

  #describe({ res, headers }: Exchange, allowed: readonly string[]): void {
    const described = {
      ...headers,
      Allow: allowed.join(', '),
      'Tus-Version': VERSION,
      'Tus-Extension': 'creation,creation-with-upload,termination,expiration,checksum',
      'Tus-Checksum-Algorithm': CHECKSUM_ALGORITHMS.join(','),
      'Tus-Max-Size': this.#uploads.maxSize,
    };
    res.writeHead(204, described).end();
  }

  /** @param below relative path from the request to its uploads */
  async #create(exchange: Exchange, caller: Caller & Identity, below: string): Promise<void> {
    const { req, headers } = exchange;
    if (req.headers['upload-concat'] !== undefined) throw new BadRequest('This server does not concatenate uploads.');
    if (req.headers['upload-defer-length'] !== undefined || req.headers['upload-length'] === undefined) {
      throw new BadRequest('Send the size of the file in bytes in the header Upload-Length.', undefined, 411);
    }
    const size = wholeNumber(req, 'upload-length');
    const hasContent = contentTypeOf(req) === CONTENT_TYPE;
    // Before the upload exists. One of no bytes would be complete at once, and the content would be ignored.
    if (hasContent && lengthOf(req) > size)
      throw new BadRequest('The content exceeds the announced size of the upload.', undefined, 413);
    const { filename, filetype, idempotency_key: key } = readMetadata(req);
    const content = hasContent ? this.#contents.of(req, caller.userId) : undefined;
    const idempotency_key = idempotencyKeyOf(req.headers['idempotency-key'], key);
    let progress = await this.#uploads.create(caller, { name: filename, type: filetype, size, idempotency_key });
    const { baseUrl } = this.context.transport.engine.options;
    // Some clients need an absolute address. Behind a proxy that changes the host, only a relative one is sure to work.
    const uploads = new URL(baseUrl).host === req.headers.host ? `${baseUrl}/api/v1${TUS}/` : below;
    headers.Location = uploads + progress.pathId.split('/').map(encodeURIComponent).join('/');
    // Not for a repeated request whose upload has grown.
    if (content && size > 0 && progress.offset === 0) {
      try {
        progress = await this.#uploads.append(caller, progress.pathId, { offset: 0, content, length: lengthOf(req) });
      } catch (error) {
        // The checksum may be wrong.
        if (req.headers['upload-checksum'] !== undefined) await this.#uploads.end(caller, progress.pathId);
        throw error;
      }
    }
    if (content || idempotency_key !== undefined) headers['Upload-Offset'] = progress.offset;
    sendProgress(exchange, progress, 201);
  }

  async #patch(exchange: Exchange, caller: Caller & Identity, pathId: string): Promise<void> {
    const { req, headers } = exchange;
    if (contentTypeOf(req) !== CONTENT_TYPE) {
      throw new BadRequest(`Content-Type must be ${CONTENT_TYPE}.`, undefined, 415);
    }
    const offset = wholeNumber(req, 'upload-offset');
    const content = this.#contents.of(req, caller.userId);
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

const contentTypeOf = (req: IncomingMessage) => req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();

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
    const [name = '', value = '', ...more] = pair.trim().split(/ +/);
    if (name === '' || more.length > 0 || !BASE64.test(value)) {
      throw new BadRequest('Upload-Metadata must be pairs of a name and a base64 value, separated by commas.');
    }
    const bytes = Buffer.from(value, 'base64');
    // Different keys must not become the same.
    if (name === 'idempotency_key' && !isUtf8(bytes))
      throw new BadRequest('The idempotency_key in Upload-Metadata must be UTF-8 text, encoded with base64.');
    if (name === 'filename' || name === 'filetype' || name === 'idempotency_key') known[name] = bytes.toString('utf8');
  }
  return known;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
