import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ServerRequest } from './exchange.ts';

/** A WHATWG request, read as one of `node:http` is. */
export class FetchRequest extends Readable implements ServerRequest {
  readonly method: string;
  readonly url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[] = [];
  complete: boolean;
  readonly socket: { readonly remoteAddress: string | undefined };
  readonly #request: Request;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Of whoever called, not of the caller's caller. */
  misuse: Error | undefined;

  /** @param address of the caller, which a `Request` does not know */
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
    // A request that a program made by itself has neither.
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
      this.misuse = new Error('The body of this request was read before the chat could; read a clone() of it instead.');
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
      // An empty piece would not be asked for the next one.
      if (value.length === 0) continue;
      this.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      return;
    }
  }

  /** As `node:http` does: whoever reads it is told by `close`, and nobody has to listen for errors. */
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
