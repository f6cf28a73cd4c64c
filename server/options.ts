import type { IncomingMessage } from 'node:http';
import type { Adopt, Logger, UserReference } from '../lib/index.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimitRules } from './rate-limits.ts';
import type { OidcOptions } from './sign-in/oidc-options.ts';

/** Options for serving a chat over HTTP. */
export interface ServingOptions {
  /** Path prefix, e.g. `/chat` for an API at `/chat/api/v1`. Default: the root. */
  prefix?: string;
  /**
   * Origins whose pages may call the API (CORS) and change things, e.g. `https://app.example.com`. Write them without a
   * path or a trailing slash. The server's own origin and that of `baseUrl` are always allowed. Default: none.
   */
  trustedOrigins?: readonly string[];
  /**
   * Rate limits that differ from the defaults in `RateLimitRules`. `false` disables all rate limits. With rate limits,
   * accounts that use much server time also queue, so that other accounts do not wait for them. Each process counts
   * separately.
   */
  rateLimits?: false | RateLimitRules;
  /** Maximum size of a request body in bytes, without uploaded files. Larger bodies fail with 413. Default 1048576. */
  maxBodyBytes?: number;
  /**
   * Number of reverse proxies in front that append to X-Forwarded-For. The client address is read from this header.
   * `true` means 1. Default 0: the client address is the address of the connection.
   */
  trustProxy?: boolean | number;
  /**
   * Logs each finished request at level `info`: ID, method, route, operation, status, milliseconds, user and bytes, but
   * no content. Default: only errors are logged, by the logger of the chat. The response has the ID in `X-Request-Id`;
   * with `trustProxy`, the ID of the proxy is used.
   */
  logger?: Logger;
  /** Collects metrics. Default: no metrics. */
  metrics?: Metrics;
  /** Show the start page and the API reference. Default true. */
  pages?: boolean;
  /**
   * Serve the web app: the chat at `/`, the login page, and the files of the panel below `/static`. Without it, `/` is
   * the start page. Default: as `pages`.
   */
  web?: boolean;
  /**
   * With `authenticate`: where the web app sends users who are not logged in, such as `/login` of your site. Default: a
   * page that asks them to log in.
   */
  loginUrl?: string;
  /**
   * What to do if `authenticate` returns the e-mail address of an account, or a person with this address logs in at a
   * provider of `oidc`. `verified`: refuse the account if its address is not verified (403 ADOPTION_REFUSED). `reset`:
   * then end the access of its earlier user. `never`: refuse addresses. Default: `verified`.
   */
  adopt?: Adopt;
  /**
   * OpenID Connect providers for the login page. Set `baseUrl` of the chat too: providers send browsers back there.
   * Default: none.
   */
  oidc?: readonly OidcOptions[];
  /**
   * Receive mail by webhook at `POST /inbound/mail`: the secret that your mail provider sends, at least 32 characters.
   * Needs the option `replies` of the chat's `mail`. Default: such requests are not answered.
   */
  inboundMailSecret?: string;
  /**
   * Accounts that the login page offers without a password. For demos only: every visitor can use them. A standalone
   * server then listens on loopback addresses only, unless you pass `force`. Default: none.
   */
  demoAccounts?: readonly DemoLogin[];
}

/** The prefix without a slash at its end. Empty for the root. */
export const prefixOf = ({ prefix = '' }: Pick<ServingOptions, 'prefix'>) => prefix.replace(/\/+$/, '');

/** Characters. The secret is as strong as a key, because its URL is public. */
const MIN_SECRET_LENGTH = 32;

/** @throws TypeError */
export function checkedSecret(secret: string | undefined): string | undefined {
  if (secret !== undefined && (secret.length < MIN_SECRET_LENGTH || /\s/.test(secret)))
    throw new TypeError(`inboundMailSecret must have at least ${MIN_SECRET_LENGTH} characters, without spaces.`);
  return secret;
}

/** An account that the login page offers. */
export interface DemoLogin {
  /** Its ID. */
  user_id: number;
  /** Its name. */
  full_name: string;
  /** What it may do, such as `owner`. */
  role: string;
}

/** Options for `node:http` requests. `Request`: the type of the requests of your framework. */
export interface ListenerOptions<Request extends IncomingMessage = IncomingMessage> extends ServingOptions {
  /**
   * The host's own login: returns the account of the request, or nothing without a login. Called if the request has no
   * Basic credentials. An unknown account fails (401 UNAUTHORIZED). Default: the API key is the only login.
   */
  authenticate?: (request: Request) => HostLogin | Promise<HostLogin>;
}

/** Options for WHATWG requests. */
export interface FetchOptions<Host extends readonly unknown[] = []> extends ServingOptions {
  /** The host's own login, as in `ListenerOptions`. */
  authenticate?: (request: Request, ...host: Host) => HostLogin | Promise<HostLogin>;
  /**
   * The network address of the client, such as `192.0.2.1`, because a `Request` does not contain it. Without it, and
   * without `trustProxy`, all clients without an account share one rate limit.
   */
  address?: (request: Request, ...host: Host) => string | undefined;
}

/**
 * The account of a request by the host's login. A user ID, the e-mail address, or an object with `user_id` or
 * `external_id`. null or undefined: no login.
 */
export type HostLogin = UserReference | null | undefined;
