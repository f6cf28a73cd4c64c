import type { IncomingMessage } from 'node:http';
import type { Logger } from '../lib/index.ts';

/** Requests that must have come through the same proxy before the warning. */
const ENOUGH_REQUESTS = 20;

/**
 * Warns once if every request comes from the same address and with X-Forwarded-For, but the server trusts no proxy. Then
 * all users share the limits of one address. A request without the header, or from another address, ends the watch.
 */
export class ProxyWarning {
  #isOver: boolean;
  #seen = 0;
  #proxy: string | undefined;

  constructor(
    private readonly logger: Logger,
    { isTrusting }: { isTrusting: boolean },
  ) {
    this.#isOver = isTrusting;
  }

  note({ headers, socket }: IncomingMessage): void {
    if (this.#isOver) return;
    this.#proxy ??= socket.remoteAddress;
    this.#isOver = headers['x-forwarded-for'] === undefined || socket.remoteAddress !== this.#proxy;
    if (this.#isOver || ++this.#seen < ENOUGH_REQUESTS) return;
    this.#isOver = true;
    this.logger.warn(
      { proxy: this.#proxy },
      'all requests come from one address with X-Forwarded-For: if this is your proxy, set trustProxy or --trust-proxy. Otherwise all users share the rate limits of its address',
    );
  }
}
