import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from '../lib/index.ts';

/** Requests from a public address that must have come through the same proxy before the warning. */
const ENOUGH_REQUESTS = 20;

/**
 * Warns once if the number of trusted proxies does not fit the requests.
 *
 * - Too few: the server trusts no proxy, but a request comes with X-Forwarded-For from this machine or a private network.
 *   Or all requests come from one public address with it. Then all users share the limits of one address.
 * - Too many: X-Forwarded-For has fewer addresses than trusted proxies. Then the client chooses its address.
 */
export class ProxyWarning {
  #isOver: boolean;
  #seen = 0;
  #proxy: string | undefined;
  /** The last address of this machine or of a private network, which most requests come from. */
  #near: string | undefined;

  /** @param options `trusted`: number of proxies; `needsAddresses`: whether the addresses of clients are used */
  constructor(
    private readonly logger: Logger,
    private readonly options: { trusted: number; needsAddresses: boolean },
  ) {
    this.#isOver = !options.needsAddresses;
  }

  note({ headers, socket }: IncomingMessage): void {
    if (this.#isOver) return;
    const forwarded = headers['x-forwarded-for'];
    const addresses = forwarded === undefined ? 0 : String(forwarded).split(',').length;
    const { trusted } = this.options;
    if (trusted === 0) return this.#noteUntrusted(socket.remoteAddress ?? '', addresses > 0);
    if (addresses > 0 && addresses < trusted) this.#warnOfMany(addresses);
  }

  #noteUntrusted(peer: string, isForwarded: boolean): void {
    if (peer === this.#near || isNear(peer)) {
      this.#near = peer;
      if (isForwarded) this.#warnOfNone(peer);
      return;
    }
    this.#proxy ??= peer;
    if (!isForwarded || peer !== this.#proxy) this.#isOver = true;
    else if (++this.#seen >= ENOUGH_REQUESTS) this.#warnOfNone(peer);
  }

  #warnOfNone(proxy: string): void {
    this.#isOver = true;
    this.logger.warn(
      { proxy },
      'requests come with X-Forwarded-For, but no proxy is trusted: if this address is your proxy, set trustProxy or --trust-proxy. Otherwise all users share the rate limits of its address',
    );
  }

  #warnOfMany(addresses: number): void {
    this.#isOver = true;
    this.logger.warn(
      { addresses, trusted: this.options.trusted },
      'X-Forwarded-For has fewer addresses than trustProxy or --trust-proxy says: set it to the number of proxies in front of the server. Otherwise clients choose the address in limits and in the audit log',
    );
  }
}

/** Whether an address is of this machine or of a private network. */
function isNear(address: string): boolean {
  return ipaddr.isValid(address) && ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}
