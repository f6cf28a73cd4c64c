import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import type { ServerAnswer } from './exchange.ts';
import { LARGE_RESPONSE_BYTES } from './unsent-answers.ts';

/** Statuses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Builds a WHATWG response through the `node:http` interface. Short responses have a plain body. Others are streamed,
 * as fast as the client reads.
 */
export class FetchAnswer extends Writable implements ServerAnswer {
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
