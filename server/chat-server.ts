import { Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Chat } from '../lib/index.ts';
import { transportOf } from '../lib/internal.ts';
import { Inspection } from './inspection.ts';
import { buildListener, nodeOptions } from './listener.ts';
import type { LongPolls } from './long-polls.ts';
import type { ListenerOptions } from './options.ts';

/** How a chat is served by a server of its own. */
export interface ChatServerOptions extends ListenerOptions {
  /** How many connections may be open at a time; more are dropped. Default: no limit. */
  maxConnections?: number;
  /**
   * Listen on other addresses than this machine's own in development mode, where anybody gets any API key. Default
   * false: the server closes and emits an `error`.
   */
  force?: boolean;
  /**
   * Whoever shows it (`Authorization: Bearer …`) gets `/metrics`, where there are `metrics`, and is told at `/ready`
   * which part is amiss. Default: nobody does at this address.
   */
  inspectionToken?: string;
}

/** Times in milliseconds. A long poll is not bounded by these: its request has arrived, only its answer waits. */
const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  // Large files take as long as they take; the reading of each body has a limit of its own.
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  // Longer than the usual 60 s of a reverse proxy, which must be the one to end an idle connection.
  keepAliveTimeout: 65_000,
  noDelay: true,
  // Bytes of a body that are read ahead of whoever waits for their turn. A byte that comes by itself takes 200 in memory:
  // so it is 4 MB, and four times that by what Node 22 has as its default.
  highWaterMark: 16 * 1024,
};

/**
 * A `node:http` server that speaks the API, and says at `/health` and `/ready`, at the root and below the prefix, how
 * it is. Closing it lets long polls go, so that they do not hold it up.
 */
export class ChatServer extends Server {
  readonly #polls: LongPolls;
  /** Health, readiness and metrics, for a server that answers them at an address of its own. */
  readonly inspection: Inspection;
  /** Connections without a request so far, as browsers open them ahead. Node does not count them as idle. */
  readonly #unused = new Set<Socket>();

  constructor(chat: Chat, options: ChatServerOptions = {}) {
    const { listener, polls } = buildListener(chat, nodeOptions(options), { ownsRequests: true });
    const prefix = (options.prefix ?? '').replace(/\/+$/, '');
    const inspection = new Inspection(chat, options.metrics, options.inspectionToken, () => !this.listening);
    super(LIMITS, (req, res) => {
      this.#unused.delete(req.socket);
      // Closing waits for connections, so none is kept for a next request.
      if (!this.listening) res.shouldKeepAlive = false;
      const place = Inspection.placeAt(req.url ?? '/', prefix);
      if (place) void inspection.answer(place, req, res, false);
      else listener(req, res);
    });
    this.#polls = polls;
    this.inspection = inspection;
    options.metrics?.watchConnections(() => this.#connections());
    const unused = this.#unused;
    function forget(this: Socket) {
      unused.delete(this);
    }
    this.on('connection', (socket: Socket) => unused.add(socket) && socket.once('close', forget));
    if (options.maxConnections !== undefined) this.maxConnections = options.maxConnections;
    if (transportOf(chat).development && !options.force) this.prependListener('listening', () => this.#stayPrivate());
  }

  #stayPrivate(): void {
    const address = this.address();
    if (address === null || typeof address === 'string' || isLoopback(address)) return;
    this.close();
    this.emit(
      'error',
      new Error(
        `In development mode anybody gets any API key, so it does not listen on ${address.address} unless forced.`,
      ),
    );
  }

  #connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  override close(done?: (error?: Error) => void): this {
    super.close(done);
    this.#polls.release();
    for (const socket of this.#unused) socket.destroy();
    return this;
  }
}

function isLoopback({ address }: AddressInfo): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
