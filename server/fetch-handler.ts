import type { IncomingHttpHeaders, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { Chat } from '../lib/index.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { buildListener } from './listener.ts';
import type { FetchOptions, HostLogin } from './options.ts';
import { LARGE_RESPONSE_BYTES } from './unsent-answers.ts';

/**
 * Answers a request. Further arguments are passed to `authenticate` and `address`. Resolves to an empty 499 response if
 * the client disconnects. Rejects if the body was already read.
 */
export type FetchHandler<Host extends readonly unknown[] = []> = (request: Request, ...host: Host) => Promise<Response>;

/** For a client that has disconnected. */
const gone = () => new Response(null, { status: 499 });

/**
 * A handler for WHATWG `Request` and `Response` on Node: Hono, route handlers of Next, SvelteKit, Remix. It works like
 * `requestListener`, and streams requests and responses. Unknown paths get a 404.
 * @throws TypeError if one of `trustedOrigins` is not an origin
 * @example
 * const handler = fetchHandler(chat, { prefix: '/chat', authenticate: (request) => emailOfSession(request) });
 * app.all('/chat/*', (context) => handler(context.req.raw));
 */
export function fetchHandler<Host extends readonly unknown[] = []>(
  chat: Chat,
  options: FetchOptions<Host> = {},
): FetchHandler<Host> {
  const { authenticate, address, ...rest } = options;
  const logins = new WeakMap<object, () => HostLogin | Promise<HostLogin>>();
  const { listener } = buildListener(
    chat,
    { ...rest, ...(authenticate ? { authenticate: (req) => logins.get(req)?.() } : {}) },
    { ownsRequests: true },
  );
  return async (request, ...host) => {
    if (request.signal.aborted) return gone();
    const req = new FetchRequest(request, address?.(request, ...host));
    const res = new FetchAnswer(request.method);
    if (authenticate) logins.set(req, () => authenticate(request, ...host));
    const leave = () => {
      req.destroy();
      res.destroy();
    };
    request.signal.addEventListener('abort', leave);
    res.once('close', () => request.signal.removeEventListener('abort', leave));
    // An incomplete request needs no response.
    req.once('close', () => {
      if (!req.complete) res.destroy();
    });
    // Without a listener, 'error' would end the process. 'close' follows and does the cleanup.
    res.on('error', () => undefined);
    listener(req, res);
    const response = await res.response;
    if (response) return response;
    if (req.misuse) throw req.misuse;
    return gone();
  };
}

/** A WHATWG request with the `node:http` interface. */
export class FetchRequest extends Readable implements ServerRequest {
  readonly method: string;
  readonly url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[] = [];
  complete: boolean;
  readonly socket: { readonly remoteAddress: string | undefined };
  readonly #request: Request;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** An error of the host, not of the client. */
  misuse: Error | undefined;

  /** @param address network address of the client, which a `Request` does not contain */
  constructor(request: Request, address: string | undefined) {
    super();
    const { pathname, search, host } = new URL(request.url);
    this.#request = request;
    this.method = request.method;
    this.url = pathname + search;
    this.headers = {};
    request.headers.forEach((value, name) => {
      this.headers[name] = value;
    });
    // A request created in a program has no such headers.
    this.headers.host ??= host;
    if (request.body && this.headers['content-length'] === undefined) this.headers['transfer-encoding'] = 'chunked';
    this.complete = request.body === null;
    this.socket = { remoteAddress: address };
  }

  override _read(): void {
    void this.#readOn().catch(() => this.destroy());
  }

  async #readOn(): Promise<void> {
    const { body } = this.#request;
    if (body?.locked && !this.#reader) {
      this.misuse = new Error('The body of this request was already read. Read a clone() of the request instead.');
      throw this.misuse;
    }
    this.#reader ??= body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
    for (;;) {
      const { done, value } = (await this.#reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) {
        this.complete = true;
        this.push(null);
        return;
      }
      // Pushing an empty piece would stop the reading.
      if (value.length === 0) continue;
      this.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      return;
    }
  }

  /** Like `node:http`: emits only `close`, so that no listener for errors is needed. */
  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    const ended = this.complete ? undefined : (this.#reader ?? this.#unread())?.cancel();
    ended?.catch(() => undefined);
    done(null);
  }

  #unread(): ReadableStream | undefined {
    const { body } = this.#request;
    return body && !body.locked ? body : undefined;
  }
}

/** Statuses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Builds a WHATWG response through the `node:http` interface. Short responses have a plain body. Others are streamed,
 * as fast as the client reads.
 */
class FetchAnswer extends Writable implements ServerAnswer {
  shouldKeepAlive = true;
  strictContentLength = false;
  headersSent = false;
  statusCode = 200;
  bytesSent = 0;
  /** Undefined if the response was aborted before it began. */
  readonly response: Promise<Response | undefined>;
  readonly #isHead: boolean;
  readonly #headers = new Headers();
  #respond: (response: Response | undefined) => void = () => undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Continues writing after the client has read a piece. */
  #taken: (() => void) | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(method: string) {
    super({ decodeStrings: true });
    this.#isHead = method === 'HEAD';
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  setHeader(name: string, value: number | string | readonly string[]): void {
    this.#headers.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) this.#headers.append(name, String(one));
  }

  writeHead(status: number, headers: OutgoingHttpHeaders | OutgoingHttpHeader[] = {}): this {
    if (this.headersSent) throw new Error('The headers have already been sent.');
    if (Array.isArray(headers)) {
      for (let at = 0; at < headers.length; at += 2) this.setHeader(String(headers[at]), headers[at + 1] ?? '');
    } else {
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value);
    }
    this.headersSent = true;
    this.statusCode = status;
    return this;
  }

  setTimeout(milliseconds: number, callback: () => void = () => undefined): this {
    clearTimeout(this.#idle);
    if (!this.closed) this.#idle = setTimeout(callback, milliseconds);
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of a stream
  override end(...given: any[]): this {
    const [content] = given;
    const isBegun = this.writableLength > 0 || this.#body || this.destroyed;
    // Large content must count as unread until the client reads it.
    if (isBegun || typeof content === 'function' || content?.length >= LARGE_RESPONSE_BYTES) return super.end(...given);
    this.#answer(content ?? null);
    return super.end();
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    if (!this.#hasBody) return done();
    this.bytesSent += piece.length;
    if (!this.#body) this.#answer(this.#stream());
    this.#taken = () => {
      this.#taken = undefined;
      this.#idle?.refresh();
      done();
    };
    this.#body?.enqueue(piece);
  }

  override _final(done: () => void): void {
    if (!this.#hasBody) this.#answer(null);
    this.#body?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#respond(undefined);
    try {
      // The reader must not take a partial response for the whole.
      if (!this.writableFinished) this.#body?.error(error ?? new Error('The response broke off.'));
    } catch {
      // The reader is gone.
    }
    done(error);
  }

  get #hasBody(): boolean {
    return !this.#isHead && !WITHOUT_BODY.has(this.statusCode);
  }

  #answer(body: string | Buffer | ReadableStream | null): void {
    this.headersSent = true;
    const content = this.#hasBody ? (body as BodyInit | null) : null;
    if (typeof content === 'string' || content instanceof Uint8Array) this.bytesSent = Buffer.byteLength(content);
    this.#respond(new Response(content, { status: this.statusCode, headers: this.#headers }));
  }

  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => this.#taken?.(),
        cancel: () => void this.destroy(),
      },
      // Write a piece only after the previous piece was read.
      { highWaterMark: 0 },
    );
  }
}
