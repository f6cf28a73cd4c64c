import { Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Chat } from '../lib/index.ts';
import { BadRequest, errorBody, transportOf } from '../lib/internal.ts';
import { DRAIN_MS, MAX_DRAINED, RequestTimeout } from './body.ts';
import type { ListenerContext } from './context.ts';
import { endpointPattern, Inspection } from './inspection.ts';
import { buildListener } from './listener.ts';
import { type ListenerOptions, prefixOf } from './options.ts';

/** Options for a standalone server. */
export interface ChatServerOptions extends ListenerOptions {
  /** Maximum number of open connections. Further connections are dropped. Default: no limit. */
  maxConnections?: number;
  /**
   * Allow development mode and `demoAccounts` on addresses other than loopback, although anyone can then act as any
   * account, or as an owner of the demo. Default false: the server closes and emits `error`.
   */
  force?: boolean;
  /**
   * Bearer token for `/metrics` (if `metrics` is set) and for the details of `/ready`. Default: neither is available on
   * this address.
   */
  inspectionToken?: string;
}

/** Bytes of the headers, with the query. Clients send long narrows in it. */
const MAX_HEADERS = 128 * 1024;

/** Times in milliseconds. They do not limit long polls: the request has arrived, and only the response waits. */
export const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  maxHeaderSize: MAX_HEADERS,
  // Large files may take any time. Body readers have their own timeouts.
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  // Longer than the usual 60 s of a reverse proxy: the proxy must close idle connections first.
  keepAliveTimeout: 65_000,
  noDelay: true,
  // Bytes of a body to buffer while the request waits. A body sent byte by byte takes 200 bytes of memory for each
  // byte, so up to 4 MB. The default of Node 22 would take four times as much.
  highWaterMark: 16 * 1024,
};

/**
 * A `node:http` server for the API. It also answers `/health` and `/ready`, at the root and below the prefix. Closing
 * it ends long polls, so that they do not delay it.
 */
export class ChatServer extends Server {
  readonly #context: ListenerContext;
  /** Health, readiness and metrics, for a server on a separate address. */
  readonly inspection: Inspection;
  /** Open connections with their last response. Browsers open some in advance, and Node does not count those as idle. */
  readonly #connections = new Map<Socket, ServerResponse | undefined>();

  constructor(chat: Chat, options: ChatServerOptions = {}) {
    const { listener, context } = buildListener(chat, options, { ownsRequests: true });
    const endpoints = endpointPattern(prefixOf(options));
    const inspection = new Inspection(chat, options.metrics, options.inspectionToken, () => !this.listening);
    super(LIMITS, (req, res) => {
      this.#connections.set(req.socket, res);
      // Closing waits for connections, so do not keep this one alive.
      if (!this.listening) res.shouldKeepAlive = false;
      const [, endpoint] = endpoints.exec(req.url ?? '/') ?? [];
      if (endpoint) void inspection.answer(endpoint, req, res);
      else listener(req, res);
    });
    this.#context = context;
    // Node would drop headers above 1000, such as the type of the body. Their size is limited.
    this.maxHeadersCount = 0;
    this.inspection = inspection;
    options.metrics?.watch(async () => [['parlance_http_connections', 'Open connections.', this.#connections.size]]);
    this.on('connection', (socket: Socket) => {
      this.#connections.set(socket, undefined);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.on('clientError', (error, socket) => this.#refuse(error, socket as Socket));
    if (options.maxConnections !== undefined) this.maxConnections = options.maxConnections;
    const danger = options.force ? undefined : dangerOf(chat, options);
    if (danger) this.prependListener('listening', () => this.#stayPrivate(danger));
  }

  /** Answers bytes that are not a request. Node calls it again for each further piece. */
  #refuse({ code }: NodeJS.ErrnoException, socket: Socket): void {
    const response = this.#connections.get(socket);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (code === 'ECONNRESET' || isAnswering || socket.bytesRead > MAX_DRAINED) socket.destroy();
    if (!socket.writable) return;
    const isTooLong = code === 'HPE_HEADER_OVERFLOW';
    const problem = isTooLong
      ? `The query and the headers are too long (limit: ${MAX_HEADERS} bytes). Send parameters in the body.`
      : 'This is not a well-formed HTTP request.';
    const late = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? new RequestTimeout() : undefined;
    const error = late ?? new BadRequest(problem, undefined, isTooLong ? 431 : 400);
    const body = `${JSON.stringify(errorBody(error))}\n`;
    socket.end(
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    // Closing at once would reset the connection, and a client that is still sending would lose the response.
    setTimeout(() => socket.destroy(), DRAIN_MS).unref();
  }

  #stayPrivate(danger: string): void {
    const address = this.address();
    if (address === null || typeof address === 'string' || ipaddr.process(address.address).range() === 'loopback')
      return;
    this.close();
    this.emit('error', new Error(`${danger} To listen on ${address.address} anyway, set the option "force".`));
  }

  /**
   * The path below the prefix of a link that logs in as the first of `demoAccounts`. It works once, within an hour, and
   * replaces an earlier link. Undefined without demo accounts.
   */
  makeDemoLink(): string | undefined {
    return this.#context.web.makeDemoLink();
  }

  override close(done?: (error?: Error) => void): this {
    super.close(done);
    this.#context.polls.release();
    for (const [socket, response] of this.#connections) if (!response) socket.destroy();
    return this;
  }
}

/** Why other machines must not reach the server. Undefined if they may. */
function dangerOf(chat: Chat, { demoAccounts = [] }: ChatServerOptions): string | undefined {
  if (transportOf(chat).engine.options.development) return 'Development mode lets anyone get any API key.';
  return demoAccounts.length > 0 ? 'A demo lets anyone log in as its owner without a password.' : undefined;
}
