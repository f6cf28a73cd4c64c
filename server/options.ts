import type { IncomingMessage } from 'node:http';
import type { Logger, UserReference } from '../lib/index.ts';
import type { ServerRequest } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimitRules } from './rate-limits.ts';

/** How a chat is served over HTTP, whatever a request is. */
export interface ServingOptions {
  /** Path everything hangs below, e.g. `/chat`; the API is then at `/chat/api/v1`. Default: the root. */
  prefix?: string;
  /**
   * Origins, e.g. `https://app.example.com`, whose pages may call the API (CORS) and use the host's login, as those of
   * the server's own origin do. Written as browsers send them: without a path or a slash at the end. Default: none.
   */
  trustedOrigins?: readonly string[];
  /**
   * Rules other than the default ones; `false` switches all rate limits off. With them, accounts whose requests take
   * much of the server's time wait for each other, and not others for them. Each process counts for itself. Default:
   * the limits that `RateLimitRules` names.
   */
  rateLimits?: false | RateLimitRules;
  /** Largest body of a request, bytes, uploaded files left out; larger ones are refused with 413. Default 1048576. */
  maxBodyBytes?: number;
  /**
   * How many reverse proxies stand in front, each of which appends to X-Forwarded-For: the caller's network address is
   * read there. `true` means one. Default 0: it is the address that the connection comes from.
   */
  trustProxy?: boolean | number;
  /**
   * Told of each request in a line at `info`, when it has ended: id, method, pattern of the address, operation, status,
   * milliseconds, account and bytes; nothing of what it said. Default: only faults are logged, by the chat's logger.
   * The id is also in the header `X-Request-Id` of the answer; behind a proxy (`trustProxy`) the proxy's own is taken.
   */
  logger?: Logger;
  /** Counts what is served. Default: nothing is counted. */
  metrics?: Metrics;
  /** Whether to show the start page and the API reference. Default true. */
  pages?: boolean;
}

/** As everything behind the adapters sees it. */
export interface NeutralOptions extends ServingOptions {
  authenticate?: ((request: ServerRequest) => HostLogin | Promise<HostLogin>) | undefined;
}

/** How a chat is served to requests of `node:http`. */
export interface ListenerOptions extends ServingOptions {
  /**
   * The host's own login: whose account this request belongs to, or nothing when it carries no login. Asked when the
   * request carries no Basic credentials. With such a login, requests that change something are refused to pages of
   * other sites (403 CSRF_FAILED), and an account that does not exist is refused (401 UNAUTHORIZED). Default: the API
   * key is the only login.
   */
  authenticate?: (request: IncomingMessage) => HostLogin | Promise<HostLogin>;
}

/** How a chat is served to WHATWG requests. */
export interface FetchOptions<Host extends readonly unknown[] = []> extends ServingOptions {
  /**
   * The host's own login: whose account this request belongs to, or nothing when it carries no login. Asked when the
   * request carries no Basic credentials. With such a login, requests that change something are refused to pages of
   * other sites (403 CSRF_FAILED), and an account that does not exist is refused (401 UNAUTHORIZED). Default: the API
   * key is the only login.
   */
  authenticate?: (request: Request, ...host: Host) => HostLogin | Promise<HostLogin>;
  /**
   * The network address of the caller, such as `192.0.2.1`, which a `Request` does not know and the host does. Without
   * it, all callers without an account are counted as one, unless `trustProxy` says where to read it.
   */
  address?: (request: Request, ...host: Host) => string | undefined;
}

/**
 * Whose account a request belongs to, by the host's login: an ID, the real address, or an object with `user_id`. null or
 * undefined: it carries none.
 */
export type HostLogin = UserReference | null | undefined;
