import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { BadRequest, ChunkList, type FileParameter } from '../lib/internal.ts';
import {
  BodyTooLarge,
  type Fields,
  FileTooLarge,
  type Form,
  formText,
  jsonForm,
  noFields,
  readFields,
} from './form.ts';
import { type ArrivingBody, readMultipart } from './multipart.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** The body of a request. It is read once, on demand. */
export class RequestBody {
  /** Media type. Undefined if the request has no form. */
  readonly type: string | undefined;
  #isRead = false;
  #body: ArrivingBody | undefined;
  #form: Form | undefined;
  #error: unknown;

  /**
   * @param limit maximum bytes of a form, without its file
   * @param whole the parameter that a body in another form than a form is
   */
  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly limit: number,
    private readonly whole?: string,
  ) {
    const unnamed = whole === undefined ? undefined : JSON_TYPE;
    this.type = hasBody(req) ? mediaTypeOf(req) || unnamed : undefined;
  }

  /** Whether it can contain a file. The file is read only for callers who may send one. */
  get isMultipart(): boolean {
    return this.type === MULTIPART;
  }

  /**
   * The form, or undefined if there is none or it is invalid. In that case `form` throws the error later, so that only
   * callers who may know of the operation see it.
   * @throws ClientGone
   */
  async tryForm(takes?: FileParameter): Promise<Form | undefined> {
    if (this.#isRead || !this.type) return this.#form;
    this.#isRead = true;
    const arriving = () => {
      this.#body = arrivingBody(this.req, takes?.isStreamed && this.isMultipart ? undefined : BODY_MS);
      return this.#body;
    };
    try {
      const { type, limit, whole } = this;
      this.#form = await readForm(this.req, arriving, { type, limit, takes, whole });
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      this.#error = error;
      await drain(this.req);
      // The rest of the body would be read as the next request.
      if (isCut(error) || !this.req.complete) this.res.shouldKeepAlive = false;
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
    if (this.#error !== undefined) throw this.#error;
    return this.#form;
  }
}

const isCut = (error: unknown) =>
  error instanceof BodyTooLarge || error instanceof FileTooLarge || error instanceof RequestTimeout;

interface FormTerms {
  type: string;
  limit: number;
  takes: FileParameter | undefined;
  whole: string | undefined;
}

async function readForm(
  req: IncomingMessage,
  arriving: () => ArrivingBody,
  { type, limit, takes, whole }: FormTerms,
): Promise<Form> {
  const parsed = 'body' in req ? req.body : undefined;
  if (req.readableEnded || isFilled(parsed)) return formOf(readByHost(parsed), type, whole);
  checkUncompressed(req);
  const most = limit + (takes?.maxBytes ?? 0) + MAX_DRAINED;
  if (!takes?.isStreamed && lengthOf(req) > most) throw new BodyTooLarge(limit);
  if (type === MULTIPART) return readMultipart(req.headers, arriving(), limit, takes);
  return formOf(arrivedBody(req, limit) ?? (await readWhole(arriving(), limit)), type, whole);
}

/** @throws an Error for a defect of the host: without its body, the request would do something else */
function readByHost(parsed: unknown): unknown {
  if (parsed !== undefined) return parsed;
  throw new Error(
    'The body of this request was already read. Call the listener before the middleware that reads it, or make that middleware set req.body.',
  );
}

function formOf(content: unknown, type: string, whole: string | undefined): Form {
  if (whole !== undefined && type !== URLENCODED && type !== MULTIPART) return { fields: wholeBody(whole, content) };
  if (type === JSON_TYPE) return jsonForm(content ?? {});
  if (type === URLENCODED || type === MULTIPART) return { fields: fieldsOf(content) };
  if (!isFilled(content)) return { fields: noFields() };
  // The body would be silently ignored.
  const types = `${URLENCODED}, ${MULTIPART}, ${JSON_TYPE}`;
  throw new BadRequest(
    `The Content-Type "${type.slice(0, 100)}" is not supported. Send parameters as one of ${types}.`,
  );
}

/** @param body its bytes, or the value that the host's web framework has parsed */
function wholeBody(name: string, body: unknown): Fields {
  const fields = noFields();
  if (Buffer.isBuffer(body)) fields[name] = formText(body);
  else if (isFilled(body)) fields[name] = typeof body === 'string' ? body : JSON.stringify(body);
  return fields;
}

/** A body that has arrived as a whole. Undefined if some of it is missing: waiting for it takes listeners and a timer. */
function arrivedBody(req: IncomingMessage, limit: number): Buffer | undefined {
  if (!req.complete || req.destroyed) return undefined;
  const content: Buffer = req.read() ?? Buffer.alloc(0);
  if (content.length > limit) throw new BodyTooLarge(limit);
  return content;
}

async function readWhole(body: ArrivingBody, limit: number): Promise<Buffer> {
  const content = new ChunkList();
  for await (const piece of body) {
    content.add(piece);
    if (content.size > limit) throw new BodyTooLarge(limit);
  }
  return Buffer.concat(content.take());
}

/** Frameworks set `body` to an empty object if they have not read it. */
function isFilled(body: unknown): boolean {
  if (Buffer.isBuffer(body)) return body.length > 0;
  if (typeof body === 'object' && body !== null) return Object.keys(body).length > 0;
  return typeof body === 'string' && body !== '';
}

/** @param body its bytes, or `req.body` if the host's web framework has parsed it already */
function fieldsOf(body: unknown): Fields {
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

/** The parts of a request that readers of its body use. */
type BodyRequest = Readable & Pick<IncomingMessage, 'headers' | 'complete'>;

/** Bytes above the limit that are read and discarded, so that the client gets to read the error. */
export const MAX_DRAINED = 32 * 1024 * 1024;
/** Milliseconds to read the rest of a failed request. */
export const DRAIN_MS = 10_000;
/** Milliseconds to wait for the next bytes, or for the whole body of an ordinary request. */
const BODY_MS = 30_000;

/** Announced bytes of the body. */
export const lengthOf = ({ headers }: BodyRequest) => Number(headers['content-length'] ?? 0);

const hasBody = (req: BodyRequest) => req.headers['transfer-encoding'] !== undefined || lengthOf(req) > 0;

/** The `Content-Type` without parameters. Empty without the header. */
export const mediaTypeOf = ({ headers }: BodyRequest) =>
  (headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase();

/** @throws BadRequest 415 */
export function checkUncompressed({ headers: { 'content-encoding': encoding = '' } }: BodyRequest): void {
  if (/^(?:identity)?$/i.test(encoding)) return;
  const problem = `The Content-Encoding "${encoding.slice(0, 100)}" is not supported. Send the body without it.`;
  throw new BadRequest(problem, undefined, 415);
}

/** 408: the body did not arrive in time. */
export class RequestTimeout extends BadRequest {
  constructor() {
    super('The request did not arrive in time.', undefined, 408);
  }
}

/** The client disconnected before the request was complete. No response is sent. */
export class ClientGone extends Error {}

/**
 * Reads and discards the rest of a request, so that a client that is still sending can read the response. Stops after
 * `MAX_DRAINED` bytes. Reads nothing if the body is much longer.
 */
export async function drain(req: BodyRequest): Promise<void> {
  if (req.complete || lengthOf(req) > 2 * MAX_DRAINED) return;
  let size = 0;
  try {
    for await (const piece of arrivingBody(req, DRAIN_MS)) {
      size += piece.length;
      if (size > MAX_DRAINED) return;
    }
  } catch {
    // The client is gone or too slow.
  }
}

/** Cuts the connection if the rest of a request does not arrive soon after its response. Clients may never send it. */
export function cutWithoutRest(req: IncomingMessage, res: ServerResponse): void {
  if (!hasBody(req)) return;
  res.once('finish', () => {
    const cut = () => {
      if (!req.complete) req.socket.destroy();
    };
    if (!req.complete) setTimeout(cut, DRAIN_MS).unref();
  });
}

/**
 * The body of a request in pieces, read on demand. `return` also works while it waits for a piece, so that the rest of a
 * refused request can be drained. The stream's own iterator and generators cannot do this.
 * @param wholeMs milliseconds for the whole body. Default: no limit, but each piece must arrive in 30 seconds.
 * @throws ClientGone if the request breaks off, RequestTimeout
 */
export function arrivingBody(req: BodyRequest, wholeMs?: number): ArrivingBody {
  const lateAt = wholeMs === undefined ? undefined : performance.now() + wholeMs;
  const END = { done: true, value: undefined } as const;
  let leave: (() => void) | undefined;
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const settle = (then: () => void) => {
          clearTimeout(timer);
          req.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd).pause();
          leave = undefined;
          then();
        };
        const onData = (value: Buffer) => settle(() => resolve({ done: false, value }));
        const onEnd = () => settle(() => (req.readableEnded ? resolve(END) : reject(new ClientGone())));
        const timer = setTimeout(
          () => settle(() => reject(new RequestTimeout())),
          lateAt === undefined ? BODY_MS : lateAt - performance.now(),
        );
        leave = () => settle(() => resolve(END));
        if (req.readableEnded || req.destroyed) onEnd();
        else req.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd).resume();
      }),
    return: async () => {
      leave?.();
      return END;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
