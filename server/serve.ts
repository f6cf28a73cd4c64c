import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import type { Chat } from '../lib/index.ts';
import { codeOf, transportOf } from '../lib/internal.ts';
import { ChatServer, type ChatServerOptions } from './chat-server.ts';
import { endpointPattern } from './inspection.ts';
import { buildListener, type Listener } from './listener.ts';
import { listenForMail, type RunningLmtp } from './lmtp.ts';
import { type ListenerOptions, prefixOf } from './options.ts';

/**
 * A listener `(req, res)` for `node:http`, Express, Connect, raw Fastify requests or Next. Call `chat.start()`
 * yourself. Call `chat.close()` on shutdown: it ends long polls.
 * @throws TypeError if one of `trustedOrigins` is not an origin
 * @example
 * const app = express();
 * app.use('/chat', requestListener(chat, { authenticate: (req: express.Request) => req.session.userId }));
 */
export function requestListener<Request extends IncomingMessage = IncomingMessage>(
  chat: Chat,
  options: ListenerOptions<Request> = {},
): Listener<Request> {
  // It passes each request of its caller to `authenticate`.
  return buildListener(chat, options as ListenerOptions).listener;
}

/**
 * An `http.Server` for a chat. It does not listen yet; call `listen` and `chat.start()` yourself.
 * @throws TypeError if one of `trustedOrigins` is not an origin
 * @example
 * const server = createServer(chat, { maxConnections: 10_000 });
 * server.listen(9991, () => chat.start());
 */
export function createServer(chat: Chat, options: ChatServerOptions = {}): ChatServer {
  return new ChatServer(chat, options);
}

/** Options for `serve`. */
export interface ServeOptions extends ChatServerOptions {
  /** Address or host name to listen on. Default 127.0.0.1. */
  host?: string;
  /** Port to listen on; 0 for any free port. Default 9991. */
  port?: number;
  /**
   * Path of a Unix socket to listen on, instead of `host` and `port`. Replaces a socket left behind by a dead server.
   */
  socket?: string;
  /** File mode of the socket, which decides who may connect. Default 0o660. */
  socketMode?: number;
  /**
   * A second address to listen on, for operators only. It serves `/health`, `/ready` with details, `/metrics` (with
   * `metrics`), and nothing more. Default: none.
   */
  inspectionAt?: { host: string; port: number };
  /**
   * Receive mail over LMTP at this address. It has no login: only your mail server may reach it. Needs the option
   * `replies` of the chat's `mail`. Default: none.
   */
  lmtp?: { host: string; port: number };
  /** Milliseconds that `close` waits for requests under way before it cuts their connections. Default 10000. */
  closeTimeoutMs?: number;
}

/** A listening server. */
export interface RunningServer {
  /** The `http.Server` itself. */
  readonly server: ChatServer;
  /** The URL with the prefix, e.g. `http://127.0.0.1:9991`, or the path of the socket. */
  readonly url: string;
  /** The URL of `inspectionAt`, e.g. `http://127.0.0.1:9992`, with `/metrics`, `/health` and `/ready` below it. */
  readonly inspectionUrl?: string;
  /** The address of `lmtp`. */
  readonly lmtpAddress?: { host: string; port: number };
  /**
   * Accepts no more requests, ends long polls and waits for requests under way. The chat stays open. `cut`: number of
   * connections cut after `closeTimeoutMs`. Repeated calls return the same result.
   */
  close(): Promise<{ cut: number }>;
}

/**
 * Serves a chat and starts its background worker. Resolves when the server listens.
 * @throws TypeError if one of `trustedOrigins` is not an origin. Error if it cannot listen (system errors have a `code`
 * such as `EADDRINUSE`), or if development mode would be visible to other machines.
 * @example
 * const { url, close } = await serve(chat, { port: 0 });
 * console.log(url); // http://127.0.0.1:54321
 * await close();
 * await chat.close();
 */
export async function serve(chat: Chat, options: ServeOptions = {}): Promise<RunningServer> {
  const server = createServer(chat, options);
  const { host = '127.0.0.1', port = 9991, socket, inspectionAt, lmtp, closeTimeoutMs = 10_000 } = options;
  if (socket === undefined) await listen(server, host, port);
  else await listenOnSocket(server, socket, options.socketMode ?? 0o660);
  let inspector: Server | undefined;
  let mailServer: RunningLmtp | undefined;
  try {
    if (lmtp) mailServer = await listenForMail(chat, lmtp);
    if (inspectionAt) {
      const endpoints = endpointPattern();
      inspector = createPlainServer((req, res) => {
        const [, endpoint] = endpoints.exec(req.url ?? '/') ?? [];
        if (endpoint) void server.inspection.answer(endpoint, req, res, { isPrivate: true });
        else res.writeHead(404).end();
      });
      await listen(inspector, inspectionAt.host, inspectionAt.port);
    }
  } catch (error) {
    server.close();
    await mailServer?.close();
    throw error;
  }
  chat.start();
  const url = socket ?? `${urlOf(server)}${prefixOf(options)}`;
  if (socket === undefined) transportOf(chat).listensAt(url);
  let closing: Promise<{ cut: number }> | undefined;
  return {
    server,
    url,
    ...(inspector ? { inspectionUrl: urlOf(inspector) } : {}),
    ...(mailServer ? { lmtpAddress: mailServer.address } : {}),
    close: () => {
      closing ??= Promise.all([closeServer(server, closeTimeoutMs), mailServer?.close()])
        .then(([closed]) => closed)
        .finally(() => {
          // Closed last, so that operators can watch the shutdown.
          inspector?.close();
          inspector?.closeAllConnections();
          options.metrics?.close();
        });
      return closing;
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  // A wildcard address cannot be opened in a browser.
  const name = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}

async function closeServer(server: ChatServer, timeout: number): Promise<{ cut: number }> {
  let cut = 0;
  // A connection becomes idle after each response.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const limit = setTimeout(() => {
    server.getConnections((_, count) => {
      cut = count ?? 0;
      server.closeAllConnections();
    });
  }, timeout);
  await new Promise((done) => server.close(done));
  clearInterval(sweep);
  clearTimeout(limit);
  return { cut };
}

/** Milliseconds for a server on this machine to accept a connection. */
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Listens on a Unix socket. Replaces the socket of a dead server, but not a socket that answers or another kind of
 * file. The socket is removed when the server closes.
 * @param mode file mode of the socket, set from the beginning
 * @throws Error
 */
async function listenOnSocket(server: Server, path: string, mode: number): Promise<void> {
  const socketAtPath = () => lstatSync(path, { throwIfNoEntry: false });
  const found = socketAtPath();
  if (found) {
    if (!found.isSocket()) throw new Error(`${path} exists and is not a socket. It was not changed.`);
    if (await isAnswered(path)) throw new Error(`Another server already listens on ${path}.`);
    const now = socketAtPath();
    // Another process may have replaced the socket and listens on it now.
    if (now && (now.ino !== found.ino || now.ctimeMs !== found.ctimeMs)) {
      throw new Error(`Another server has just started to listen on ${path}.`);
    }
    if (now) unlinkSync(path);
  }
  // `listen` creates the socket synchronously with this umask. A later chmod would leave a gap.
  const mask = process.umask(0o777 & ~mode);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = createConnection(path).setTimeout(CONNECT_TIMEOUT_MS);
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')]);
    return true;
  } catch (error) {
    // Only these mean that no server listens. Without permission to connect, do not remove the socket.
    return !['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '');
  } finally {
    socket.destroy();
  }
}
