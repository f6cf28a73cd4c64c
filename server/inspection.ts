import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Chat } from '../lib/index.ts';
import { type Readiness, transportOf } from '../lib/internal.ts';
import { cutWithoutRest } from './body.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds for the database to answer. */
const DATABASE_TIMEOUT_MS = 2_000;
/** Milliseconds to cache the result, because anyone can send requests and each would query the database. */
const CACHE_MS = 1_000;

/** Finds the name of an endpoint in its URL, at the root or below the prefix. */
export function endpointPattern(prefix = ''): RegExp {
  return new RegExp(`^(?:${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})?/(health|ready|metrics)(?:\\?|$)`);
}

/**
 * Endpoints for operators. `/health`: the process is alive. It checks nothing more, because a failed database must not
 * restart healthy processes. `/ready`: the server can work. Details are only for requests with the token or on the
 * private address.
 */
export class Inspection {
  readonly #digest: Buffer | undefined;
  #last: { at: number; readiness: Promise<Readiness> } | undefined;

  constructor(
    private readonly chat: Chat,
    private readonly metrics: Metrics | undefined,
    token: string | undefined,
    private readonly isClosing: () => boolean,
  ) {
    this.#digest = token === undefined ? undefined : digestOf(token);
  }

  /**
   * Answers a request for an endpoint.
   * @param options `isPrivate`: whether the request came to the private address
   */
  async answer(endpoint: string, req: IncomingMessage, res: ServerResponse, { isPrivate = false } = {}): Promise<void> {
    cutWithoutRest(req, res);
    const mayKnow = isPrivate || this.#hasToken(req);
    const metrics = mayKnow ? this.metrics : undefined;
    // Before the method check, because a 405 would reveal that the endpoint exists.
    if (endpoint === 'metrics' && !metrics) return send(res, 404, { status: 'error' });
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return send(res, 405, { status: 'error' }, { Allow: 'GET, HEAD' });
    if (endpoint === 'health') return send(res, 200, { status: 'ok' });
    if (endpoint === 'ready') return this.#sendReadiness(res, mayKnow ? forwardedOf(req) : undefined);
    const text = await metrics?.text();
    res.writeHead(200, { ...NOT_KEPT, 'Content-Type': metrics?.contentType }).end(text);
  }

  /** @param forwarded with it, the response has details */
  async #sendReadiness(res: ServerResponse, forwarded: Forwarded | undefined): Promise<void> {
    const { warnings, ...needed } = await this.#readiness();
    const parts = { ...needed, ...(this.isClosing() ? { server: 'closing' } : {}) };
    const isReady = Object.values(parts).every((part) => part === 'ok');
    const hasWarnings = Object.keys(warnings).length > 0;
    const details = forwarded ? { parts, ...(hasWarnings ? { warnings } : {}), ...forwarded } : {};
    send(res, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', ...details });
  }

  #readiness(): Promise<Readiness> {
    const now = performance.now();
    if (!this.#last || now - this.#last.at >= CACHE_MS) {
      this.#last = { at: now, readiness: transportOf(this.chat).readiness(DATABASE_TIMEOUT_MS) };
    }
    return this.#last.readiness;
  }

  #hasToken(req: IncomingMessage): boolean {
    const given = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
    return given !== undefined && this.#digest !== undefined && timingSafeEqual(digestOf(given), this.#digest);
  }
}

interface Forwarded {
  /** Headers of the proxies in front: the number of addresses in X-Forwarded-For, and X-Forwarded-Proto. */
  forwarded?: { addresses: number; proto?: string };
}

function forwardedOf({ headers }: IncomingMessage): Forwarded {
  const [addresses, proto] = [headers['x-forwarded-for'], headers['x-forwarded-proto']];
  if (addresses === undefined && proto === undefined) return {};
  const count = addresses === undefined ? 0 : String(addresses).split(',').length;
  return { forwarded: { addresses: count, ...(proto === undefined ? {} : { proto: String(proto) }) } };
}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

const NOT_KEPT = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function send(res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const text = `${JSON.stringify(body)}\n`;
  res
    .writeHead(status, {
      ...NOT_KEPT,
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
