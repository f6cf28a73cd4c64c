import { BadRequest, type FileParameter } from '../lib/internal.ts';
import { BodyTooLarge, ClientGone, drain, FileTooLarge, RequestTimeout, readBody } from './body-stream.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { type Fields, type Form, formText, noFields, readFields } from './form.ts';
import { jsonForm } from './json-form.ts';
import { readMultipart } from './multipart.ts';
import { readStreamedForm } from './streamed-form.ts';

const PLUS = 0x2b;
const SPACE = 0x20;

type FormKind = 'urlencoded' | 'multipart' | 'json' | 'other';

const FORMS: ReadonlyMap<string, FormKind> = new Map([
  ['application/x-www-form-urlencoded', 'urlencoded'],
  ['multipart/form-data', 'multipart'],
  ['application/json', 'json'],
]);

/** The body of one request, read once, when somebody wants to know what is in it. */
export class RequestBody {
  readonly #kind: FormKind | undefined;
  #isRead = false;
  #isStreamed = false;
  #form: Form | undefined;
  #error: unknown;

  /** @param limit bytes of a form, not counting the file that the operation takes */
  constructor(
    private readonly req: ServerRequest,
    private readonly res: ServerAnswer,
    private readonly limit: number,
  ) {
    const type = mediaType(req);
    this.#kind = type ? (FORMS.get(type) ?? 'other') : undefined;
  }

  /** Whether it has no form in it. */
  get isEmpty(): boolean {
    return !this.#kind;
  }

  /** Whether it can hold a file, which is not read for callers who may not send one. */
  get isMultipart(): boolean {
    return this.#kind === 'multipart';
  }

  /**
   * The form in it; nothing where there is none, or none that can be read. Why it cannot be read is kept
   * for `form`: it is told only to callers who may know that there is an operation.
   * @throws ClientGone
   */
  async tryForm(takes?: FileParameter): Promise<Form | undefined> {
    if (this.#isRead || !this.#kind) return this.#form;
    this.#isRead = true;
    try {
      this.#isStreamed = takes?.isStreamed === true && this.#kind === 'multipart';
      this.#form = await readForm(this.req, this.#kind, this.limit, takes);
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      // What is left of it would be taken for the next request.
      if (error instanceof BodyTooLarge || error instanceof FileTooLarge || error instanceof RequestTimeout) {
        this.res.shouldKeepAlive = false;
      }
      this.#error = error;
    }
    return this.#form;
  }

  /** Reads what is left of it where a call was refused before all of it had arrived. */
  async abandon(): Promise<void> {
    if (!this.#isStreamed || this.req.complete) return;
    this.res.shouldKeepAlive = false;
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

/** The media type of the body that the request has; empty where it names none, undefined where there is no body. */
export function mediaType({ headers }: ServerRequest): string | undefined {
  if (headers['transfer-encoding'] === undefined) {
    const length = headers['content-length'];
    if (length === undefined || length === '0') return undefined;
  }
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
}

/** @throws BadRequest where there is something that would be passed over without a word */
function refuseUnread(req: ServerRequest, isSomething: boolean): Form {
  if (!isSomething) return { fields: noFields() };
  const type = mediaType(req)?.slice(0, 100);
  const forms = [...FORMS.keys()].join(', ');
  throw new BadRequest(`A body of the type "${type}" is not read; parameters come as one of ${forms}.`);
}

async function readForm(req: ServerRequest, kind: FormKind, limit: number, takes?: FileParameter): Promise<Form> {
  const parsed = (req as { body?: unknown }).body;
  if (req.readableEnded || isFilled(parsed)) {
    if (kind === 'other') return refuseUnread(req, isFilled(parsed));
    return kind === 'json' ? jsonForm(parsed ?? {}) : { fields: fieldsOfHost(parsed) };
  }
  if (kind === 'multipart') return takes?.isStreamed ? readStreamedForm(req, limit) : readMultipart(req, limit, takes);
  const pieces: Uint8Array[] = [];
  await readBody(req, limit, (piece) => pieces.push(piece));
  if (kind === 'other')
    return refuseUnread(
      req,
      pieces.some(({ length }) => length > 0),
    );
  // A copy, since others may have been given the same pieces.
  const bytes = Buffer.concat(pieces);
  if (kind === 'json') return jsonForm(bytes);
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
