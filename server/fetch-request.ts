import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ServerRequest } from './exchange.ts';

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
