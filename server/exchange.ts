import type { IncomingHttpHeaders, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';

/**
 * A request as everything behind the adapters reads it. Those of `node:http` are such requests as they are;
 * `fetch-request.ts` makes one of a WHATWG `Request`.
 */
export interface ServerRequest extends Readable {
  readonly method?: string | undefined;
  /** Path and query; the whole address where a proxy names it. */
  readonly url?: string | undefined;
  /** By names in lower case. */
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  /** Whether all of its body has come. */
  readonly complete: boolean;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly bytesWritten?: number };
}

/**
 * An answer as everything behind the adapters writes it. The stream closes when it has been taken, or when nobody
 * waits for it any more.
 */
export interface ServerAnswer extends Writable {
  /** Whether the connection may serve for another request. */
  shouldKeepAlive: boolean;
  /** Whether writing other than the announced number of bytes is an error. */
  strictContentLength: boolean;
  readonly headersSent: boolean;
  readonly statusCode: number;
  /** Bytes of it that have been handed on, where its request has no socket that counts them. */
  readonly bytesSent?: number;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  /** @param headers by name, or names and values in turn; they win over those set before */
  writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this;
  /** Calls back when nothing of it has been taken for so long. Milliseconds. */
  setTimeout(milliseconds: number, callback?: () => void): this;
}
