import { createHash } from 'node:crypto';
import { isChatError, RateLimitHit } from '../lib/index.ts';
import { type ScanTerms, type SignInState, WrongPassword } from '../lib/internal.ts';
import { callerAddress } from './caller-address.ts';
import type { ServerRequest } from './exchange.ts';

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
  /** Requests without credentials from a network address. Default 100 in 60 s. */
  api_by_ip?: RateLimitRule;
  /**
   * Pages and images without login, per network address. Many users may share an address, and a page may show many
   * images. Default 5000 in 60 s.
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
   * own counter, so that strangers cannot lock users out.
   */
  authenticate_by_username?: RateLimitRule;
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
}

/** Which limit applies to a request that sends an e-mail: with or without an invitation. */
export type EmailRule = 'email' | 'invited-email';

/** The state of a limit after a request. */
export class RateLimitStatus {
  constructor(
    private readonly limit: string,
    private readonly remaining: number,
    private readonly reset: string,
    /** Seconds to wait. Undefined if the request is within the limit. */
    readonly retryAfter: number | undefined,
  ) {}

  /** X-RateLimit headers, alternating names and values. */
  get headers(): string[] {
    const remaining = String(this.remaining);
    return ['X-RateLimit-Limit', this.limit, 'X-RateLimit-Remaining', remaining, 'X-RateLimit-Reset', this.reset];
  }
}

/** Stored data about logins to an account. */
export interface SignInMemory {
  state(network: string): Promise<SignInState>;
  /** Call after a correct password. */
  remember(network: string): Promise<void>;
}

/** The counters of a server process. */
export class RateLimits {
  readonly #byUser: WindowCounter;
  readonly #pollsByUser: WindowCounter;
  readonly #byAddress: WindowCounter;
  readonly #pages: WindowCounter;
  readonly #files: WindowCounter;
  readonly #refused: WindowCounter;
  readonly #passwords: WindowCounter;
  readonly #scans: WindowCounter;
  readonly #emails: Readonly<Record<EmailRule, WindowCounter>>;
  readonly #proxies: number;

  /** @param proxies number of trusted reverse proxies that append to X-Forwarded-For */
  constructor(rules: RateLimitRules, proxies: number) {
    const byUser = rules.api_by_user ?? { seconds: 60, max: 200 };
    this.#byUser = new WindowCounter(byUser);
    this.#pollsByUser = new WindowCounter(byUser);
    this.#byAddress = new WindowCounter(rules.api_by_ip ?? { seconds: 60, max: 100 });
    this.#pages = new WindowCounter(rules.pages_by_ip ?? { seconds: 60, max: 5000 });
    this.#files = new WindowCounter(rules.files_by_user ?? { seconds: 60, max: 1000 });
    this.#refused = new WindowCounter(rules.refused_by_ip ?? { seconds: 60, max: 100 });
    this.#passwords = new WindowCounter(rules.authenticate_by_username ?? { seconds: 1800, max: 5 });
    this.#scans = new WindowCounter(rules.scans_by_user ?? { seconds: 60, max: 20 });
    this.#emails = {
      email: new WindowCounter(rules.sends_email_by_ip ?? { seconds: 86_400, max: 5 }),
      'invited-email': new WindowCounter(rules.sends_invited_email_by_ip ?? { seconds: 86_400, max: 100 }),
    };
    this.#proxies = proxies;
  }

  /** The network address of a request, in the form used for counting. */
  addressOf(req: ServerRequest): string {
    return callerAddress(req, this.#proxies);
  }

  /** Counts a request for its account, or for its network address if it has no credentials. */
  take(req: ServerRequest, userId: number | null, isPoll: boolean): RateLimitStatus {
    if (userId === null) return this.#byAddress.take(this.addressOf(req));
    return (isPoll ? this.#pollsByUser : this.#byUser).take(userId);
  }

  /** Counts a page or an image without login. @throws RateLimitHit */
  takePage(req: ServerRequest): void {
    const { retryAfter } = this.#pages.take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts a read file for the account, or for the network address without credentials. @throws RateLimitHit */
  takeFile(req: ServerRequest, userId: number | null): void {
    const { retryAfter } = userId === null ? this.take(req, null, false) : this.#files.take(userId);
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts a request with wrong or missing credentials. @throws RateLimitHit */
  takeRefused(req: ServerRequest): void {
    const { retryAfter } = this.#refused.take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts the time of scans for the account or the network address. `check` throws RateLimitHit. */
  scansOf(req: ServerRequest, userId: number | null): ScanTerms {
    const key = userId ?? this.addressOf(req);
    return {
      check: () => {
        const retryAfter = this.#scans.untilFree(key);
        if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
      },
      spent: (milliseconds) => void this.#scans.take(key, milliseconds / 1000),
    };
  }

  /** Counts a request that may send an e-mail, for its network address. @throws RateLimitHit */
  takeEmail(req: ServerRequest, rule: EmailRule): void {
    const { retryAfter } = this.#emails[rule].take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /**
   * Runs a login with a password. After an administrator unlocks the account, the count of wrong passwords starts
   * again. The database stores this, so it works in all processes.
   */
  async signIn<T>(req: ServerRequest, userName: string, memory: SignInMemory, attempt: () => Promise<T>): Promise<T> {
    const network = this.addressOf(req);
    const { timesUnlocked, isKnownNetwork } = await memory.state(network);
    const counted = [userName.trim().toLowerCase(), timesUnlocked, ...(isKnownNetwork ? [network] : [])];
    const answer = await this.#tryPassword(counted, attempt);
    await memory.remember(network);
    return answer;
  }

  /**
   * Runs a request in which users confirm their own password. It has a separate counter, so that strangers cannot lock
   * it.
   */
  async ownPassword<T>(userId: number, timesUnlocked: () => Promise<number>, attempt: () => Promise<T>): Promise<T> {
    return this.#tryPassword([userId, await timesUnlocked()], attempt);
  }

  /**
   * Counts an attempt before it runs, so that parallel attempts gain nothing. Takes it back unless the password was
   * wrong.
   */
  async #tryPassword<T>(counted: readonly (string | number)[], attempt: () => Promise<T>): Promise<T> {
    // Hashed because names can have any length, and each is kept for half an hour.
    const key = createHash('sha256').update(JSON.stringify(counted)).digest('base64');
    const { retryAfter } = this.#passwords.take(key);
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
    try {
      const answer = await attempt();
      this.#passwords.giveBack(key);
      return answer;
    } catch (error) {
      if (!isWrongPassword(error)) this.#passwords.giveBack(key);
      throw error;
    }
  }
}

const isWrongPassword = (error: unknown) =>
  error instanceof WrongPassword || isChatError(error, 'AUTHENTICATION_FAILED');

interface Window {
  taken: number;
  /** Milliseconds since the epoch. */
  endsAt: number;
  /** UNIX seconds, as sent in the header. */
  reset: string;
}

/**
 * Counts by key in fixed windows. The window of a key begins with its first count. Not rate-limiter-flexible: it keeps
 * a timer for each key and returns promises, which costs about six times as much for every request.
 */
class WindowCounter {
  readonly #max: number;
  /** As sent in the header. */
  readonly #limit: string;
  readonly #milliseconds: number;
  readonly #windows = new Map<string | number, Window>();
  #nextSweep = 0;

  constructor({ seconds, max }: RateLimitRule) {
    this.#max = max;
    this.#limit = String(max);
    this.#milliseconds = seconds * 1000;
  }

  take(key: string | number, amount = 1): RateLimitStatus {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (window && window.endsAt > now) window.taken += amount;
    else {
      if (now >= this.#nextSweep) this.#sweep(now);
      const endsAt = now + this.#milliseconds;
      window = { taken: amount, endsAt, reset: String(Math.ceil(endsAt / 1000)) };
      this.#windows.set(key, window);
    }
    const { taken, endsAt, reset } = window;
    const retryAfter = taken > this.#max ? secondsUntil(endsAt, now) : undefined;
    return new RateLimitStatus(this.#limit, Math.max(0, this.#max - taken), reset, retryAfter);
  }

  /** Seconds until the window ends, if all is used. Undefined otherwise. */
  untilFree(key: string | number): number | undefined {
    const now = Date.now();
    const window = this.#windows.get(key);
    if (!window || window.endsAt <= now || window.taken < this.#max) return undefined;
    return secondsUntil(window.endsAt, now);
  }

  giveBack(key: string | number): void {
    const window = this.#windows.get(key);
    if (window) window.taken--;
  }

  /** Runs once in a window, so that unused keys take memory for at most two windows. */
  #sweep(now: number): void {
    this.#nextSweep = now + this.#milliseconds;
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
  }
}

const secondsUntil = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1000));
