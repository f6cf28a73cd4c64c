import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { duplexPair, pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { Chat } from '../lib/index.ts';
import { LIMITS } from './chat-server.ts';
import { buildListener } from './listener.ts';
import type { FetchOptions, HostLogin } from './options.ts';

/**
 * Answers a request. Further arguments are passed to `authenticate` and `address`. Resolves to an empty 499 response if
 * the client disconnects. Rejects if the body was already read.
 */
export type FetchHandler<Host extends readonly unknown[] = []> = (request: Request, ...host: Host) => Promise<Response>;

/** Bytes. The host has already accepted the headers. */
const MAX_HEADERS = 1024 * 1024;

/**
 * A handler for WHATWG `Request` and `Response` on Node: Hono, route handlers of Next, SvelteKit, Remix. It works like
 * `requestListener`, and streams requests and responses. It leaves compression to its host. Unknown paths get a 404.
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
  /** By connection. Each request has its own. */
  const logins = new WeakMap<object, () => HostLogin | Promise<HostLogin>>();
  const { listener } = buildListener(
    chat,
    { ...rest, ...(authenticate ? { authenticate: (req) => logins.get(req.socket)?.() } : {}) },
    { ownsRequests: true },
  );
  // Never listens. It gets connections in memory.
  const server = createServer({ ...LIMITS, maxHeaderSize: MAX_HEADERS }, (req, res) => {
    res.sendDate = false;
    listener(req, res);
  });
  // Node would drop headers above 1000.
  server.maxHeadersCount = 0;
  return (request, ...host) =>
    new Promise((resolve, reject) => {
      if (request.body?.locked) {
        reject(new Error('The body of this request was already read. Read a clone() of the request instead.'));
        return;
      }
      const { pathname, search, host: name, protocol } = new URL(request.url);
      const { client, socket } = connectionInMemory({
        remoteAddress: address?.(request, ...host),
        encrypted: protocol === 'https:',
      });
      if (authenticate) logins.set(socket, () => authenticate(request, ...host));
      server.emit('connection', socket);
      const sent = openRequest({
        createConnection: () => client,
        method: request.method,
        path: pathname + search,
        headers: { host: name, ...requestHeaders(request) },
        signal: request.signal,
      });
      sent.once('response', (received) => resolve(responseOf(request, received)));
      // The client has disconnected, or its body broke off.
      sent.on('error', () => resolve(new Response(null, { status: 499 })));
      if (request.body) pipeline(Readable.fromWeb(request.body as WebStream), sent, () => undefined);
      else sent.end();
    });
}

/** Headers for one connection only, and what the host does itself: it answers `Expect` and compresses. */
const OF_CONNECTION = /^(?:accept-encoding|connection|expect|keep-alive|proxy-connection|transfer-encoding|upgrade)$/;

function requestHeaders({ headers, body }: Request): Record<string, string> {
  const kept: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!OF_CONNECTION.test(name)) kept[name] = value;
  });
  return body && !headers.has('content-length') ? { ...kept, 'transfer-encoding': 'chunked' } : kept;
}

function responseOf({ method }: Request, received: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = received;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!OF_CONNECTION.test(name)) for (const value of values) headers.append(name, value);
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (!hasBody) received.resume();
  return new Response(hasBody ? (Readable.toWeb(received) as BodyInit) : null, { status, headers });
}

/** Both ends of a connection. The end of the server has the parts of a network socket that the server uses. */
function connectionInMemory(facts: { remoteAddress: string | undefined; encrypted: boolean }) {
  const [client, end] = duplexPair();
  let idle: NodeJS.Timeout | undefined;
  const socket = Object.assign(end, {
    ...facts,
    bytesWritten: 0,
    setTimeout(milliseconds: number) {
      clearTimeout(idle);
      // Unread responses do not keep the program alive.
      idle = setTimeout(() => end.emit('timeout'), milliseconds).unref();
    },
  });
  client.on('data', (piece: Buffer) => {
    socket.bytesWritten += piece.length;
    idle?.refresh();
  });
  client.once('close', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(idle);
    client.destroy();
  });
  return { client, socket };
}
