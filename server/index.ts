/** Parlance over HTTP: a server of its own, or a listener to mount in one that exists. */
import { createServer as createPlainServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chat } from '../lib/index.ts';
import { transportOf } from '../lib/internal.ts';
import { ChatServer, type ChatServerOptions } from './chat-server.ts';
import { Inspection } from './inspection.ts';
import { buildListener, type Listener, nodeOptions } from './listener.ts';
import type { ListenerOptions } from './options.ts';
import { listenOnSocket } from './socket.ts';

export { ChatServer, type ChatServerOptions } from './chat-server.ts';
export { type FetchHandler, fetchHandler } from './fetch-handler.ts';
export type { Listener } from './listener.ts';
export { Metrics } from './metrics.ts';
export type { FetchOptions, HostLogin, ListenerOptions, ServingOptions } from './options.ts';
export type { RateLimitRule, RateLimitRules } from './rate-limits.ts';

/**
 * A listener for `node:http`, Express, Connect, Fastify's raw requests or Next: `(req, res)`. `chat.start()` is left to
 * the host. The chat's polls end with `chat.close()`, which the host calls when it shuts down.
 * @throws TypeError where one of `trustedOrigins` is no origin
 * @example
 * const app = express();
 * app.use('/chat', requestListener(chat, { authenticate: (req) => emailOfSession(req) }));
 */
export function requestListener(chat: Chat, options: ListenerOptions = {}): Listener {
  return buildListener(chat, nodeOptions(options)).listener;
}

/**
 * An `http.Server` for a chat, not yet listening. `chat.start()` is left to the caller.
 * @throws TypeError where one of `trustedOrigins` is no origin
 * @example
 * const server = createServer(chat, { maxConnections: 10_000 });
 * server.listen(9991, () => chat.start());
 */
export function createServer(chat: Chat, options: ChatServerOptions = {}): ChatServer {
  return new ChatServer(chat, options);
}

/** How a chat is served, and where. */
export interface ServeOptions extends ChatServerOptions {
  /** Address or name of the interface that it listens on. Default 127.0.0.1. */
  host?: string;
  /** Port that it listens on; 0 takes any free one. Default 9991. */
  port?: number;
  /** Path of a Unix socket that it listens on instead of `host` and `port`. One that was left behind is replaced. */
  socket?: string;
  /** Mode of the socket, as of files: who may connect. Default 0o660. */
  socketMode?: number;
  /**
   * Another address that it listens on, which strangers should not reach: `/metrics` (with `metrics`), `/health` and
   * `/ready` in full, nothing else. Default: none.
   */
  inspectionAt?: { host: string; port: number };
  /** Milliseconds that `close` waits for requests under way; connections that take longer are cut. Default 10000. */
  closeTimeoutMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** The `http.Server` itself. */
  readonly server: ChatServer;
  /** Where it listens, prefix included, e.g. `http://127.0.0.1:9991`; the path of a socket. */
  readonly url: string;
  /** The address of `inspectionAt`, e.g. `http://127.0.0.1:9992`; `/metrics`, `/health` and `/ready` are below it. */
  readonly inspectionUrl?: string;
  /**
   * Accepts nothing more, lets long polls go and waits for requests under way. The chat stays open. `cut`: how many
   * connections were cut, since they took longer than `closeTimeoutMs`. Called again, it answers the same.
   */
  close(): Promise<{ cut: number }>;
}

/**
 * Serves a chat and starts its background worker. Resolves once the server listens.
 * @throws TypeError where one of `trustedOrigins` is no origin; Error where the address cannot be had (of the system,
 *   with a `code` such as `EADDRINUSE`), or would show development mode to other machines
 * @example
 * const { url, close } = await serve(chat, { port: 0 });
 * console.log(url); // http://127.0.0.1:54321
 * await close();
 * await chat.close();
 */
export async function serve(chat: Chat, options: ServeOptions = {}): Promise<RunningServer> {
  const server = createServer(chat, options);
  const { host = '127.0.0.1', port = 9991, socket, inspectionAt, closeTimeoutMs = 10_000 } = options;
  if (socket === undefined) await listen(server, host, port);
  else await listenOnSocket(server, socket, options.socketMode ?? 0o660);
  let inspector: Server | undefined;
  try {
    if (inspectionAt) inspector = await inspectorOf(server, inspectionAt);
  } catch (error) {
    server.close();
    throw error;
  }
  chat.start();
  const url = socket ?? `${urlOf(server)}${(options.prefix ?? '').replace(/\/+$/, '')}`;
  if (socket === undefined) transportOf(chat).listensAt(url);
  let closing: Promise<{ cut: number }> | undefined;
  return {
    server,
    url,
    ...(inspector ? { inspectionUrl: urlOf(inspector) } : {}),
    close: () => {
      closing ??= closeServer(server, closeTimeoutMs).finally(() => {
        // Last of all: it may be asked how far the closing is.
        inspector?.close();
        inspector?.closeAllConnections();
        options.metrics?.close();
      });
      return closing;
    },
  };
}

/** Answers what those who run the server ask, where nobody else asks. */
async function inspectorOf(
  { inspection }: ChatServer,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const inspector = createPlainServer((req, res) => {
    const place = Inspection.placeAt(req.url ?? '/', '');
    if (place) void inspection.answer(place, req, res, true);
    else res.writeHead(404).end();
  });
  await listen(inspector, host, port);
  return inspector;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  // Listening on every address is not an address one could go to.
  const name = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}

function closeServer(server: ChatServer, timeout: number): Promise<{ cut: number }> {
  return new Promise((resolve) => {
    let cut = 0;
    // A connection turns idle whenever its request has been answered.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const limit = setTimeout(() => {
      server.getConnections((_, count) => {
        cut = count ?? 0;
        server.closeAllConnections();
      });
    }, timeout);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve({ cut });
    });
  });
}
