/// <reference path="./rate-limiter-memory.d.ts" />
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// The main file loads the limiters of all databases.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { type Logger, RateLimitHit } from '../lib/index.ts';
import { keysOf, type ScanTerms } from '../lib/internal.ts';

/** At most `max` requests in `seconds`. */
export interface RateLimitRule {
  /** Length of the time window in seconds. */
  seconds: number;
  /** Maximum number of requests in the window. */
  max: number;
}

/** Rate limits. A missing rule keeps its default. */
export interface RateLimitRules {
  /** Requests of an account. Long polls have a separate counter with the same rule. Default 200 in 60 s. */
  api_by_user?: RateLimitRule;
  /**
   * API requests without credentials from a network address, except logins. Many users may share an address, and each
   * app sends a few before it has a login. Default 1000 in 60 s.
   */
  api_by_ip?: RateLimitRule;
  /**
   * Pages, forms and images without login, per network address. Many users may share an address, and a page may show
   * many images. Default 5000 in 60 s.
   */
  pages_by_ip?: RateLimitRule;
  /**
   * Uploaded files and thumbnails read by an account. A page may show a hundred, and videos are read in parts. Default
   * 1000 in 60 s.
   */
  files_by_user?: RateLimitRule;
  /**
   * Requests with a wrong API key, or without a required key, per network address. Requests with the right key are not
   * affected. Default 100 in 60 s.
   */
  refused_by_ip?: RateLimitRule;
  /**
   * Wrong passwords per user name. Default 5 in 1800 s. Networks with a recent successful login of the user have their
   * own counter, so that strangers cannot lock users out. A successful login does not count.
   */
  authenticate_by_username?: RateLimitRule;
  /**
   * Wrong passwords for accounts without a recent login from the network address, per network address. Default 100 in
   * 60 s. Beyond it, the server refuses these accounts. So an address cannot try a password on many accounts of other
   * places.
   */
  authenticate_by_ip?: RateLimitRule;
  /** Accounts created by invitations, per network address. Default 500 in 3600 s. */
  joins_by_ip?: RateLimitRule;
  /**
   * Seconds of database reading for searches, and for other reads that no index limits, per account. Default 20 in 60
   * s: `max` seconds in `seconds`. A search that has begun may take any time; searches of an account run one at a time.
   */
  scans_by_user?: RateLimitRule;
  /** Requests without an invitation that send an e-mail, per network address. Default 5 in 86400 s. */
  sends_email_by_ip?: RateLimitRule;
  /**
   * Requests with an invitation that send an e-mail, per network address. Many invited users may be in the same office.
   * Default 100 in 86400 s.
   */
  sends_invited_email_by_ip?: RateLimitRule;
  /** Event queues of an account with a stream or a waiting poll, at the same time. Default 100. */
  waiting_queues_by_user?: number;
  /**
   * Event queues with a stream or a waiting poll, at the same time, per network address. Beyond it, each account may
   * still have 3 there. Default 3000: an office of a thousand users with three tabs each.
   */
  waiting_queues_by_ip?: number;
}

type RuleName = Exclude<keyof RateLimitRules, 'waiting_queues_by_user' | 'waiting_queues_by_ip'>;

type AddressRule = 'pages_by_ip' | 'refused_by_ip' | 'sends_email_by_ip' | 'sends_invited_email_by_ip';

/** Which limit applies to a request that sends an e-mail: with or without an invitation. */
export const EMAIL_RULES = { email: 'sends_email_by_ip', 'invited-email': 'sends_invited_email_by_ip' } as const;

/** How many event queues may wait at the same time. */
export const queueLimits = ({ waiting_queues_by_user = 100, waiting_queues_by_ip = 3000 }: RateLimitRules) => ({
  byUser: waiting_queues_by_user,
  byAddress: waiting_queues_by_ip,
});

const DEFAULTS: Required<Pick<RateLimitRules, RuleName>> = {
  api_by_user: { seconds: 60, max: 200 },
  api_by_ip: { seconds: 60, max: 1000 },
  pages_by_ip: { seconds: 60, max: 5000 },
  files_by_user: { seconds: 60, max: 1000 },
  refused_by_ip: { seconds: 60, max: 100 },
  authenticate_by_username: { seconds: 1800, max: 5 },
  authenticate_by_ip: { seconds: 60, max: 100 },
  joins_by_ip: { seconds: 3600, max: 500 },
  scans_by_user: { seconds: 60, max: 20 },
  sends_email_by_ip: { seconds: 86_400, max: 5 },
  sends_invited_email_by_ip: { seconds: 86_400, max: 100 },
};

type Limits = Readonly<Record<RuleName | 'polls_by_user' | 'sign_ins_by_username', RateLimiterMemory>>;

/** The counters of a server process, in fixed windows. The window of a key begins with its first count. */
export class RateLimits {
  /** By rule. */
  readonly limits: Limits;

  /** @param proxies number of trusted reverse proxies that append to X-Forwarded-For */
  constructor(
    rules: RateLimitRules,
    private readonly proxies: number,
  ) {
    const limiter = (name: RuleName) => {
      const { seconds, max } = rules[name] ?? DEFAULTS[name];
      return new RateLimiterMemory({ points: max, duration: seconds });
    };
    const names = keysOf(DEFAULTS);
    const limits = Object.fromEntries(names.map((name) => [name, limiter(name)]));
    const [polls_by_user, sign_ins_by_username] = [limiter('api_by_user'), limiter('api_by_user')];
    this.limits = { ...limits, polls_by_user, sign_ins_by_username } as Limits;
  }

  /**
   * The network address of the client, in the form used for counting. An IPv6 /64 network counts as one address. If a
   * proxy appended an invalid address, the address of the proxy counts.
   */
  addressOf({ headers, socket }: IncomingMessage): string {
    const peer = socket.remoteAddress ?? '';
    if (this.proxies === 0) return counted(peer);
    // Only the last entries can be trusted: our own proxies appended them.
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    return counted(addressIn(hops.at(-Math.min(this.proxies, hops.length)) ?? '') ?? peer);
  }

  /**
   * Counts a request for its account, or for its network address if it has no credentials. Files without credentials
   * count as pages.
   * @param headers gets the headers that describe the limit
   * @throws RateLimitHit
   */
  take(
    req: IncomingMessage,
    userId: number | null,
    rule: 'api_by_user' | 'polls_by_user' | 'files_by_user' = 'api_by_user',
    headers: Record<string, string | number> = {},
  ): Promise<void> {
    const openRule = rule === 'files_by_user' ? 'pages_by_ip' : 'api_by_ip';
    return consume(this.limits[userId === null ? openRule : rule], userId ?? this.addressOf(req), headers);
  }

  /** Counts a request for its network address. @throws RateLimitHit */
  async takeByAddress(req: IncomingMessage, rule: AddressRule): Promise<void> {
    await consume(this.limits[rule], this.addressOf(req));
  }

  /** Counts the time of scans for the account or the network address. `check` throws RateLimitHit. */
  scansOf(req: IncomingMessage, userId: number | null): ScanTerms {
    const key = userId ?? this.addressOf(req);
    const limit = this.limits.scans_by_user;
    return {
      check: () => checkRemaining(limit, key),
      spent: (milliseconds) => void limit.penalty(key, milliseconds / 1000),
    };
  }

  /** Counts a created account for the network address. Takes it back if the invitation was not accepted. */
  async join<T>(req: IncomingMessage, accept: () => Promise<T>): Promise<T> {
    const network = this.addressOf(req);
    await consume(this.limits.joins_by_ip, network);
    try {
      return await accept();
    } catch (error) {
      await this.limits.joins_by_ip.reward(network);
      throw error;
    }
  }
}

/** @throws RateLimitHit */
export async function checkRemaining(limit: RateLimiterMemory, key: string | number): Promise<void> {
  const state = await limit.get(key);
  if (state && state.consumedPoints >= limit.points) throw new RateLimitHit(secondsOf(state));
}

/** @throws RateLimitHit */
export async function consume(
  limit: RateLimiterMemory,
  key: string | number,
  headers: Record<string, string | number> = {},
) {
  // The limiter rejects with the state if the limit is exceeded.
  const state = await limit.consume(key).catch((exceeded: RateLimiterRes) => exceeded);
  headers['X-RateLimit-Limit'] = limit.points;
  headers['X-RateLimit-Remaining'] = state.remainingPoints;
  headers['X-RateLimit-Reset'] = Math.ceil((Date.now() + state.msBeforeNext) / 1000);
  if (state.consumedPoints > limit.points) throw new RateLimitHit(secondsOf(state));
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** The address in an entry. Some proxies include the port: `192.0.2.1:5123`, `[2001:db8::1]:443`. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? [];
  const address = bracketed ?? plain ?? entry.trim();
  return isIP(address) === 0 ? undefined : address;
}

const MAX_COUNTED = 1_000;
const countedAddresses = new Map<string, string>();

/** The form of an address that is counted. Kept, since each poll needs it. */
function counted(address: string): string {
  const known = countedAddresses.get(address);
  if (known !== undefined) return known;
  if (countedAddresses.size >= MAX_COUNTED) countedAddresses.clear();
  const form = countedForm(address);
  countedAddresses.set(address, form);
  return form;
}

function countedForm(address: string): string {
  if (isIP(address) === 0) return address;
  const ip = ipaddr.process(address);
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString();
  return ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

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
  #isOver = false;
  #seen = 0;
  #proxy: string | undefined;
  /** The last address of this machine or of a private network, which most requests come from. */
  #near: string | undefined;

  /** @param trusted number of proxies */
  constructor(
    private readonly logger: Logger,
    private readonly trusted: number,
  ) {}

  note({ headers, socket }: IncomingMessage): void {
    if (this.#isOver) return;
    const forwarded = headers['x-forwarded-for'];
    const addresses = forwarded === undefined ? 0 : String(forwarded).split(',').length;
    if (this.trusted === 0) return this.#noteUntrusted(socket.remoteAddress ?? '', addresses > 0);
    if (addresses > 0 && addresses < this.trusted) this.#warnOfMany(addresses);
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
      { addresses, trusted: this.trusted },
      'X-Forwarded-For has fewer addresses than trustProxy or --trust-proxy says: set it to the number of proxies in front of the server. Otherwise clients choose the address in limits and in the audit log',
    );
  }
}

/** Whether an address is of this machine or of a private network. */
function isNear(address: string): boolean {
  return ipaddr.isValid(address) && ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}
