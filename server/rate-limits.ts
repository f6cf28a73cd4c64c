import { createHash } from 'node:crypto';
import { isChatError, RateLimitHit } from '../lib/index.ts';
import { type ScanTerms, type SignInState, WrongPassword } from '../lib/internal.ts';
import { callerAddress } from './caller-address.ts';
import type { ServerRequest } from './exchange.ts';

/** At most `max` requests in `seconds`. */
export interface RateLimitRule {
  /** Length of the time that is looked at, seconds. */
  seconds: number;
  /** Requests within it. */
  max: number;
}

/** How many requests are taken; a rule left out keeps its default. */
export interface RateLimitRules {
  /** Requests of one account. Long polls are counted apart, by the same rule. Default 200 in 60 s. */
  api_by_user?: RateLimitRule;
  /** Requests without credentials from one address. Default 100 in 60 s. */
  api_by_ip?: RateLimitRule;
  /**
   * Pages and pictures that need no credentials, for one address: many people may be behind it, and show as many
   * pictures. Default 5000 in 60 s.
   */
  pages_by_ip?: RateLimitRule;
  /**
   * Uploaded files and their thumbnails that one account reads: a page may show a hundred of them, and a video is read
   * in parts. Default 1000 in 60 s.
   */
  files_by_user?: RateLimitRule;
  /**
   * Requests from one address with a wrong API key, or with none where one is needed. Those with the right one are not
   * kept out, whatever others do behind the same address. Default 100 in 60 s.
   */
  refused_by_ip?: RateLimitRule;
  /**
   * Wrong passwords for one user name. Default 5 in 1800 s. Those from a network address from which the right one was
   * given lately are counted apart, so that nobody locks others out of their accounts by giving wrong ones.
   */
  authenticate_by_username?: RateLimitRule;
  /**
   * Seconds for which one account's searches keep a reader of the database busy, as all reads may that no index bounds.
   * Default 20 in 60 s: `max` seconds in `seconds`. Those before take as long as they take, one at a time.
   */
  scans_by_user?: RateLimitRule;
  /** Calls from one address by which anybody may have an e-mail sent. Default 5 in 86400 s. */
  sends_email_by_ip?: RateLimitRule;
  /**
   * Calls from one address by which people who hold an invitation, of whom many may be in one office, have an e-mail
   * sent. Default 100 in 86400 s.
   */
  sends_invited_email_by_ip?: RateLimitRule;
}

/** For whom a call sends an e-mail: anybody, or somebody invited. */
export type EmailRule = 'email' | 'invited-email';

/** What a request leaves of its limit. */
export class RateLimitStatus {
  constructor(
    private readonly limit: string,
    private readonly remaining: number,
    private readonly reset: string,
    /** Seconds to wait; absent when the request may go on. */
    readonly retryAfter: number | undefined,
  ) {}

  /** X-RateLimit headers as names and values in turn. */
  get headers(): string[] {
    const remaining = String(this.remaining);
    return ['X-RateLimit-Limit', this.limit, 'X-RateLimit-Remaining', remaining, 'X-RateLimit-Reset', this.reset];
  }
}

/** What the chat knows of an account that somebody signs in to. */
export interface SignInMemory {
  state(network: string): Promise<SignInState>;
  /** The password was right. */
  remember(network: string): Promise<void>;
}

/** The counters of one server process. */
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

  /** @param proxies how many reverse proxies are trusted to append to X-Forwarded-For */
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

  /** The network address that a request comes from, as it is counted. */
  addressOf(req: ServerRequest): string {
    return callerAddress(req, this.#proxies);
  }

  /** Counts a request: for its account, or for its address when it has no credentials. */
  take(req: ServerRequest, userId: number | null, isPoll: boolean): RateLimitStatus {
    if (userId === null) return this.#byAddress.take(this.addressOf(req));
    return (isPoll ? this.#pollsByUser : this.#byUser).take(userId);
  }

  /** Counts a page or picture that needs no credentials. @throws RateLimitHit */
  takePage(req: ServerRequest): void {
    const { retryAfter } = this.#pages.take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts a file that is read: for its reader, or like other requests without credentials. @throws RateLimitHit */
  takeFile(req: ServerRequest, userId: number | null): void {
    const { retryAfter } = userId === null ? this.take(req, null, false) : this.#files.take(userId);
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts a request that is refused for who makes it. @throws RateLimitHit */
  takeRefused(req: ServerRequest): void {
    const { retryAfter } = this.#refused.take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Counts the time that scans take, for the account or else for the address: its `check` throws RateLimitHit. */
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

  /** Counts a call that may send an e-mail to a third person, for the address it comes from. @throws RateLimitHit */
  takeEmail(req: ServerRequest, rule: EmailRule): void {
    const { retryAfter } = this.#emails[rule].take(this.addressOf(req));
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }

  /** Runs a sign-in by password. Once the account was unlocked once more, its wrong passwords are counted afresh: in every process, since the database says so. */
  async signIn<T>(req: ServerRequest, userName: string, memory: SignInMemory, attempt: () => Promise<T>): Promise<T> {
    const network = this.addressOf(req);
    const { timesUnlocked, isKnownNetwork } = await memory.state(network);
    const counted = [userName.trim().toLowerCase(), timesUnlocked, ...(isKnownNetwork ? [network] : [])];
    const answer = await this.#tryPassword(counted, attempt);
    await memory.remember(network);
    return answer;
  }

  /** Runs what asks the caller for their own password: others, who have no part in that, do not lock it. */
  async ownPassword<T>(userId: number, timesUnlocked: () => Promise<number>, attempt: () => Promise<T>): Promise<T> {
    return this.#tryPassword([userId, await timesUnlocked()], attempt);
  }

  /**
   * Counts an attempt before it is made, so that many at once gain nothing, and takes it back unless the password was
   * wrong.
   */
  async #tryPassword<T>(counted: readonly (string | number)[], attempt: () => Promise<T>): Promise<T> {
    // Anybody may send names of any length, and each is kept for half an hour.
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
  /** In seconds, as answers say it. */
  reset: string;
}

/**
 * Counts by key in windows of a fixed length; a key's window opens with its first count.
 * Not rate-limiter-flexible: every request pays for a count, and that one keeps a timer for each key and
 * answers through a promise, at some six times the cost.
 */
class WindowCounter {
  readonly #max: number;
  /** As answers say it. */
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

  /** Seconds until there is something left to take, where all is taken. */
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

  /** Once in a window, so that keys which do not come back take no memory for longer than two. */
  #sweep(now: number): void {
    this.#nextSweep = now + this.#milliseconds;
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
  }
}

const secondsUntil = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1000));
