import type { IncomingHttpHeaders, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';

/**
 * A request, as the server code uses it. A `node:http` request fits as it is. `fetch-request.ts` adapts a WHATWG
 * `Request`.
 */
export interface ServerRequest extends Readable {
  readonly method?: string | undefined;
  /** Path and query, or the absolute URL if a proxy sends it. */
  readonly url?: string | undefined;
  /** Headers by lower-case name. */
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  /** Whether the body has fully arrived. */
  readonly complete: boolean;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly bytesWritten?: number };
}

/** A response, as the server code uses it. The stream closes when the response is complete or the client is gone. */
export interface ServerAnswer extends Writable {
  /** Whether the connection stays open for further requests. */
  shouldKeepAlive: boolean;
  /** Whether a wrong number of written bytes is an error. */
  strictContentLength: boolean;
  readonly headersSent: boolean;
  readonly statusCode: number;
  /** Bytes sent, if the request has no socket that counts them. */
  readonly bytesSent?: number;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  /** @param headers an object, or alternating names and values. They override earlier headers. */
  writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this;
  /** Calls back after this many milliseconds without any bytes read. */
  setTimeout(milliseconds: number, callback?: () => void): this;
}

const MAX_CLIENT_NAME = 30;

const END_OF_NAME = /[\s/]/;

/** `ZulipPython/0.9.1 (Linux)` → `ZulipPython`. */
export function clientName(req: ServerRequest): string {
  const agent = req.headers['user-agent']?.trim() ?? '';
  const end = agent.search(END_OF_NAME);
  const name = end === -1 ? agent : agent.slice(0, end);
  return name === '' ? 'Unspecified' : name.slice(0, MAX_CLIENT_NAME);
}
