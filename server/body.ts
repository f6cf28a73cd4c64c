import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequest, type FileParameter } from '../lib/internal.ts';
import {
  type ArrivingBody,
  arrivingBody,
  BODY_MS,
  BodyTooLarge,
  ClientGone,
  drain,
  FileTooLarge,
  joined,
  MAX_DRAINED,
  RequestTimeout,
} from './body-stream.ts';
import { type Fields, type Form, formText, jsonForm, noFields, readFields } from './form.ts';
import { readMultipart } from './multipart.ts';

const PLUS = 0x2b;
const SPACE = 0x20;

type FormKind = 'urlencoded' | 'multipart' | 'json' | 'other';

const FORMS: ReadonlyMap<string, FormKind> = new Map([
  ['application/x-www-form-urlencoded', 'urlencoded'],
  ['multipart/form-data', 'multipart'],
  ['application/json', 'json'],
]);

/** The body of a request. It is read once, on demand. */
export class RequestBody {
  readonly #kind: FormKind | undefined;
  #isRead = false;
  #body: ArrivingBody | undefined;
  #form: Form | undefined;
  #error: unknown;

  /** @param limit maximum bytes of a form, without its file */
  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly limit: number,
  ) {
    const type = mediaType(req);
    this.#kind = type ? (FORMS.get(type) ?? 'other') : undefined;
  }

  /** Whether the request has no form. */
  get isEmpty(): boolean {
    return !this.#kind;
  }

  /** Whether it can contain a file. The file is read only for callers who may send one. */
  get isMultipart(): boolean {
    return this.#kind === 'multipart';
  }

  /**
   * The form, or undefined if there is none or it is invalid. In that case `form` throws the error later, so that only
   * callers who may know of the operation see it.
   * @throws ClientGone
   */
  async tryForm(takes?: FileParameter): Promise<Form | undefined> {
    if (this.#isRead || !this.#kind) return this.#form;
    this.#isRead = true;
    this.#body = arrivingBody(this.req, takes?.isStreamed && this.isMultipart ? undefined : BODY_MS);
    try {
      this.#form = await readForm(this.req, this.#body, this.#kind, this.limit, takes);
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      this.#error = error;
      await drain(this.req);
      const isCut = error instanceof BodyTooLarge || error instanceof FileTooLarge || error instanceof RequestTimeout;
      // The rest of the body would be read as the next request.
      if (isCut || !this.req.complete) this.res.shouldKeepAlive = false;
    }
    return this.#form;
  }

  /** Reads the rest of a streamed form after an error. */
  async abandon(): Promise<void> {
    if (!this.#form || this.req.complete) return;
    this.res.shouldKeepAlive = false;
    await this.#body?.return();
    await drain(this.req);
  }

  /** @throws BadRequest for a malformed form, BodyTooLarge, FileTooLarge, ClientGone */
  async form(takes?: FileParameter): Promise<Form | undefined> {
    await this.tryForm(takes);
    return this.known();
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** The form of a body that has been read. @throws as `form` */
  known(): Form | undefined {
    if (this.#error !== undefined) throw this.#error;
    return this.#form;
  }
}

/** The media type of the body. Empty if the header is missing, undefined if there is no body. */
export function mediaType({ headers }: IncomingMessage): string | undefined {
  if (headers['transfer-encoding'] === undefined) {
    const length = headers['content-length'];
    if (length === undefined || length === '0') return undefined;
  }
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
}

/** @throws BadRequest for a body that would be silently ignored */
function refuseUnread(req: IncomingMessage, isSomething: boolean): Form {
  if (!isSomething) return { fields: noFields() };
  const type = mediaType(req)?.slice(0, 100);
  const forms = [...FORMS.keys()].join(', ');
  throw new BadRequest(`The Content-Type "${type}" is not supported. Send parameters as one of ${forms}.`);
}

async function readForm(
  req: IncomingMessage,
  body: ArrivingBody,
  kind: FormKind,
  limit: number,
  takes?: FileParameter,
): Promise<Form> {
  const parsed = (req as { body?: unknown }).body;
  if (req.readableEnded || isFilled(parsed)) {
    if (kind === 'other') return refuseUnread(req, isFilled(parsed));
    return kind === 'json' ? jsonForm(parsed ?? {}) : { fields: fieldsOfHost(parsed) };
  }
  const most = limit + (takes?.maxBytes ?? 0) + MAX_DRAINED;
  if (!takes?.isStreamed && Number(req.headers['content-length'] ?? 0) > most) throw new BodyTooLarge(limit);
  if (kind === 'multipart') return readMultipart(req.headers, body, limit, takes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of joined(body)) {
    size += piece.length;
    if (size > limit) throw new BodyTooLarge(limit);
    pieces.push(piece);
  }
  if (kind === 'other') return refuseUnread(req, size > 0);
  // Copied because the pieces may be shared.
  const bytes = Buffer.concat(pieces);
  if (kind === 'json') return jsonForm(bytes);
  // A plus sign in a form is a space. Replacing it in the bytes is much faster than in the text.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return { fields: readFields(formText(bytes), noFields()) };
}

/** Frameworks set `body` to an empty object if they have not read it. */
function isFilled(body: unknown): boolean {
  if (typeof body === 'object' && body !== null) return Object.keys(body).length > 0;
  return typeof body === 'string' && body !== '';
}

/** The host's web framework may have parsed the body into `req.body` already. */
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
