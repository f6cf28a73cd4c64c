import type { IncomingMessage } from 'node:http';
import type { UserReference } from '../lib/index.ts';
import type { RateLimitRules } from './rate-limits.ts';

/** How a chat is served over HTTP. */
export interface ListenerOptions {
  /** Path everything hangs below, e.g. `/chat`; the API is then at `/chat/api/v1`. Default: the root. */
  prefix?: string;
  /**
   * The host's own login: whose account this request belongs to, or nothing when it carries no login.
   * Asked when the request carries no Basic credentials. Requests of other sites are refused for it (403 CSRF_FAILED).
   */
  authenticate?: (request: IncomingMessage) => HostLogin | Promise<HostLogin>;
  /** Origins, e.g. `https://app.example.com`, that may use the host's login beside the server's own. */
  trustedOrigins?: readonly string[];
  /**
   * Rules other than the default ones; `false` switches all rate limits off. With them, accounts whose requests take
   * much of the server's time wait for each other, and not others for them.
   */
  rateLimits?: false | RateLimitRules;
  /** Largest form, bytes. Default 1 MiB. */
  maxBodyBytes?: number;
  /** Reverse proxies in front: the caller's address is then read from X-Forwarded-For. `true` means one. */
  trustProxy?: boolean | number;
  /** Whether to show the start page and the API reference. Default true. */
  pages?: boolean;
}

/** Whose account a request belongs to, by the host's login; null or undefined: it carries none. */
export type HostLogin = UserReference | null | undefined;
