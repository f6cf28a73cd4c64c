import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServingOptions } from './options.ts';

/** Status if the client disconnected before the response. nginx uses the same number. */
const CLIENT_CLOSED_REQUEST = 499;
/** Status of a response that broke off because of a server error, whatever its header said. */
const BROKEN_OFF = 500;
/** Request IDs of proxies, such as UUIDs. Other values could forge log lines. */
const SANE_ID = /^[A-Za-z0-9._:-]{8,64}$/;

const records = new WeakMap<IncomingMessage, RequestRecord>();

/** The record of a request until it ends. Kept small, because thousands of polls wait. */
class RequestRecord {
  route = '';
  operation = 'none';
  /** null: no credentials. undefined: refused before authentication. */
  userId: number | null | undefined;
  /** The response began but could not be completed. */
  hasBrokenOff = false;
  readonly #begun = performance.now();
  #waitsSince: number | undefined;
  #waited: number | undefined;
  readonly #sentBefore: number;

  constructor(
    readonly id: string,
    private readonly method: string,
    private readonly socket: Socket,
  ) {
    this.#sentBefore = socket.bytesWritten;
  }

  /**
   * @param route the pattern, never the path, which contains names and sometimes a secret
   * @param operation the name of the operation, or another kind such as `page`
   */
  note(route: string, operation: string): void {
    this.route = route;
    this.operation = operation;
  }

  /** Measures how long a poll waits for events. */
  waitFor<T>(poll: Promise<T>): Promise<T> {
    this.#waitsSince = performance.now();
    return poll.finally(() => this.#endWaiting());
  }

  #endWaiting(): void {
    if (this.#waitsSince !== undefined) this.#waited ??= performance.now() - this.#waitsSince;
  }

  /** The log fields of a finished request. */
  facts(res: ServerResponse) {
    // A poll may end while it waits, if the client disconnects.
    this.#endWaiting();
    const waited = this.#waited;
    return {
      request: this.id,
      method: this.method,
      route: this.route,
      operation: this.operation,
      status: this.hasBrokenOff ? BROKEN_OFF : res.headersSent ? res.statusCode : CLIENT_CLOSED_REQUEST,
      ms: rounded(performance.now() - this.#begun - (waited ?? 0)),
      user: this.userId ?? null,
      bytes: this.socket.bytesWritten - this.#sentBefore,
      ...(waited === undefined ? {} : { waited_ms: rounded(waited) }),
      ...(res.headersSent && !res.writableFinished ? { cut: true } : {}),
    };
  }
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;

/** The record of a request. Undefined if there is no logger and no metrics. */
export const recordOf = (req: IncomingMessage) => records.get(req);

/** Logs and counts a request when it is finished. */
export function beginRecord(
  req: IncomingMessage,
  res: ServerResponse,
  { logger, metrics, trustProxy }: Pick<ServingOptions, 'logger' | 'metrics' | 'trustProxy'>,
): RequestRecord {
  // With a proxy, use its ID.
  const proxyId = Number(trustProxy ?? 0) > 0 ? req.headers['x-request-id'] : undefined;
  const id = typeof proxyId === 'string' && SANE_ID.test(proxyId) ? proxyId : randomUUID();
  const record = new RequestRecord(id, req.method ?? 'GET', req.socket);
  records.set(req, record);
  res.setHeader('X-Request-Id', id);
  // Node emits 'close' exactly once for a response, complete or not.
  res.on('close', () => {
    const facts = record.facts(res);
    metrics?.count(facts.operation, facts.status, facts.ms / 1000, facts.bytes);
    logger?.info(facts, 'request');
  });
  return record;
}
