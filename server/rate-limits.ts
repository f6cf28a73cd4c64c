import { createHash } from 'node:crypto';
import { ChatError, RateLimitHit } from '../lib/index.ts';
import { WindowCounter } from './window-counter.ts';

/** At most `max` requests in `seconds`. */
export interface RateLimitRule {
  seconds: number;
  max: number;
}

/** Reference, 1.6. A rule left out keeps its default. */
export interface RateLimitRules {
  /** Requests of one account. GET /events is counted apart, by the same rule. Default 200 in 60 s. */
  api_by_user?: RateLimitRule;
  /** Requests without credentials from one address. Default 100 in 60 s. */
  api_by_ip?: RateLimitRule;
  /** Wrong passwords for one user name. Default 5 in 1800 s. */
  authenticate_by_username?: RateLimitRule;
}

/** Where a caller stands: X-RateLimit headers as names and values in turn. */
export interface Standing {
  readonly headers: string[];
  /** Seconds to wait; absent when the request may go on. */
  readonly retryAfter: number | undefined;
}

class Bucket {
  readonly #counter: WindowCounter;
  readonly #max: number;

  constructor({ seconds, max }: RateLimitRule) {
    this.#counter = new WindowCounter(seconds);
    this.#max = max;
  }

  take(key: string | number): Standing {
    const now = Date.now();
    const { taken, endsAt } = this.#counter.take(key, now);
    return {
      headers: [
        'X-RateLimit-Limit',
        String(this.#max),
        'X-RateLimit-Remaining',
        String(Math.max(0, this.#max - taken)),
        'X-RateLimit-Reset',
        String(Math.ceil(endsAt / 1000)),
      ],
      retryAfter: taken > this.#max ? Math.max(1, Math.ceil((endsAt - now) / 1000)) : undefined,
    };
  }

  giveBack(key: string | number): void {
    this.#counter.giveBack(key);
  }
}

/** The buckets of one server process. */
export class RateLimits {
  readonly #byUser: Bucket;
  readonly #pollsByUser: Bucket;
  readonly #byAddress: Bucket;
  readonly #byUserName: Bucket;

  constructor(rules: RateLimitRules = {}) {
    const byUser = rules.api_by_user ?? { seconds: 60, max: 200 };
    this.#byUser = new Bucket(byUser);
    this.#pollsByUser = new Bucket(byUser);
    this.#byAddress = new Bucket(rules.api_by_ip ?? { seconds: 60, max: 100 });
    this.#byUserName = new Bucket(rules.authenticate_by_username ?? { seconds: 1800, max: 5 });
  }

  ofUser(userId: number, isPoll: boolean): Standing {
    return (isPoll ? this.#pollsByUser : this.#byUser).take(userId);
  }

  ofAddress(address: string): Standing {
    return this.#byAddress.take(address);
  }

  /**
   * Runs a sign-in by password. The attempt is counted before it is made, so that many at once gain
   * nothing, and taken back unless the password was wrong.
   */
  async signIn<T>(userName: string, attempt: () => Promise<T>): Promise<T> {
    // Anybody may send names of any length, and each is kept for half an hour.
    const key = createHash('sha256').update(userName.trim().toLowerCase()).digest('base64');
    const { retryAfter } = this.#byUserName.take(key);
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
    try {
      const answer = await attempt();
      this.#byUserName.giveBack(key);
      return answer;
    } catch (error) {
      const isWrongPassword = error instanceof ChatError && error.code === 'AUTHENTICATION_FAILED';
      if (!isWrongPassword) this.#byUserName.giveBack(key);
      throw error;
    }
  }
}
