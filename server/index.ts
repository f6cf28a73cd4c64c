/** Parlance over HTTP: a server of its own, or a listener to mount in one that exists. */
import type { AddressInfo } from 'node:net';
import type { Chat } from '../lib/index.ts';
import { transportOf } from '../lib/internal.ts';
import { ChatServer, type ChatServerOptions } from './chat-server.ts';
import { buildListener, type Listener } from './listener.ts';
import type { ListenerOptions } from './options.ts';

export { ChatServer, type ChatServerOptions } from './chat-server.ts';
export type { Listener } from './listener.ts';
export type { HostLogin, ListenerOptions } from './options.ts';
export type { RateLimitRule, RateLimitRules } from './rate-limits.ts';

/**
 * A listener for `node:http`, Express, Connect, Fastify's raw requests or Next: `(req, res)`.
 * The chat's polls end with `chat.close()`, which the host calls when it shuts down.
 */
export function requestListener(chat: Chat, options: ListenerOptions = {}): Listener {
  return buildListener(chat, options).listener;
}

/** An `http.Server` for a chat, not yet listening. `chat.start()` is left to the caller. */
export function createServer(chat: Chat, options: ChatServerOptions = {}): ChatServer {
  return new ChatServer(chat, options);
}

/** How a chat is served, and where. */
export interface ServeOptions extends ChatServerOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 9991; 0 takes any free port. */
  port?: number;
  /** Milliseconds that `close` waits for requests under way. Default 10000. */
  closeTimeout?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** The `http.Server` itself. */
  readonly server: ChatServer;
  /** Where it listens, prefix included, e.g. `http://127.0.0.1:9991`. */
  readonly url: string;
  /** Accepts nothing more, lets long polls go and waits for requests under way. The chat stays open. */
  close(): Promise<void>;
}

/**
 * Serves a chat and starts its background worker.
 * @throws Error when the address cannot be had, or would show development mode to other machines
 */
export async function serve(chat: Chat, options: ServeOptions = {}): Promise<RunningServer> {
  const server = createServer(chat, options);
  const { host = '127.0.0.1', port = 9991, closeTimeout = 10_000 } = options;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chat.start();
  const { address, family, port: taken } = server.address() as AddressInfo;
  // Listening on every address is not an address one could go to.
  const name = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  const url = `http://${name}:${taken}${(options.prefix ?? '').replace(/\/+$/, '')}`;
  transportOf(chat).listensAt(url);
  let closing: Promise<void> | undefined;
  return {
    server,
    url,
    close: () => {
      closing ??= closeServer(server, closeTimeout);
      return closing;
    },
  };
}

function closeServer(server: ChatServer, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection turns idle whenever its request has been answered.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const limit = setTimeout(() => server.closeAllConnections(), timeout);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
  });
}
