import { RateLimitHit } from '../base/errors.ts';
import type { Departure } from '../events/waiter.ts';

/** Milliseconds after which half of what an account has used is forgotten. */
const HALF_LIFE_MS = 60_000;
/** Milliseconds. An account does not wait for accounts that have used four times as much and this much more. */
const MUCH_MORE_MS = 500;
/** Milliseconds. While requests wait, work under way counts as use. */
const RECHECK_MS = 100;
/** Requests of an account that may arrive or wait for a place together, because their bodies take memory. */
const MAX_PREPARING = 2;

export interface FairSchedulerOptions {
  places: number;
  /**
   * Milliseconds of expensive work. Cheaper work takes a part of a place, and no account waits for others that have used
   * much more. Default: all work takes a whole place, and there are never more.
   */
  expensiveMs?: number;
  /** Maximum number of waiting requests per account. Default: no limit. */
  maxWaiting?: number;
  /** Maximum milliseconds that a request waits. Default: no limit. */
  maxWaitMs?: number;
  /** Milliseconds that never go back. */
  now?: () => number;
}

export interface Permit {
  /** Waits until the account may send another request. */
  enter(): Promise<void>;
  /**
   * The request has fully arrived. Waits for a place if its work is expected to be expensive.
   * @param kind requests of the same kind and account cost about the same
   */
  begin(kind?: unknown): Promise<void>;
  /** Counts work of the account until the returned function is called. */
  beginWork(): () => void;
  /** Frees the place, also when the request only waits from now on. Later work still counts. */
  end(): void;
}

interface Account {
  /** Milliseconds of work, minus what is forgotten. */
  used: number;
  at: number;
  /** Average milliseconds by kind of work. */
  readonly averages: Map<unknown, number>;
  preparing: number;
  waiting: number;
}

interface Work {
  readonly account: Account;
  readonly size: number;
  readonly since: number;
}

interface Waiting {
  readonly account: Account;
  mayGo(): boolean;
  go(): void;
}

/**
 * Shares work among accounts, so that an expensive account delays only itself. Work waits for a place, or for a part of
 * one if it is cheap. The account that has used least is next. How much work is expected follows from what work of the
 * same kind has cost the account before. An account has one expensive piece of work under way.
 *
 * A permit is idle -> preparing (the request arrives, then waits for a place) -> working -> idle.
 */
export class FairScheduler {
  readonly #now: () => number;
  readonly #beginTask: () => () => number;
  readonly #accounts = new Map<number | string, Account>();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Average milliseconds by kind of work, for all accounts. */
  readonly #averages = new Map<unknown, number>();
  readonly #working = new Set<Work>();
  #nextSweep = 0;
  #recheck: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairSchedulerOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#beginTask = cpuShare(this.#now);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs expensive work when it is the turn of the account. */
  async run<T>(key: number | string, work: () => Promise<T>, signal?: Departure): Promise<T> {
    const permit = this.permit(key, signal);
    try {
      await permit.begin();
      const endWork = permit.beginWork();
      return await work().finally(endWork);
    } finally {
      permit.end();
    }
  }

  /**
   * A permit for a request. `enter` and `begin` throw RateLimitHit if too many requests of the account wait, or this one
   * has waited too long.
   * @param signal aborted when the client is gone
   */
  permit(key: number | string, signal?: Departure): Permit {
    const account = this.#accountOf(key);
    let state: 'idle' | 'preparing' | Work = 'idle';
    let kind: unknown;
    let cost = 0;
    const become = (next: typeof state) => {
      if (state === 'preparing') account.preparing--;
      if (next === 'preparing') account.preparing++;
      if (typeof state === 'object') this.#working.delete(state);
      if (typeof next === 'object') this.#working.add(next);
      state = next;
      this.#admit();
    };
    const enter = async () => {
      if (state !== 'idle') return;
      const mayGo = () => account.preparing < MAX_PREPARING;
      await this.#wait({ account, mayGo, go: () => become('preparing') }, signal);
    };
    return {
      enter,
      begin: async (given) => {
        await enter();
        if (state !== 'preparing') return;
        kind = given;
        const size = this.#sizeOf(account, kind);
        const mayGo = () => this.#hasRoomFor(account, size);
        await this.#wait({ account, mayGo, go: () => become({ account, size, since: this.#now() }) }, signal);
      },
      beginWork: () => {
        const endWork = this.#beginTask();
        return () => {
          const milliseconds = endWork();
          cost += milliseconds;
          account.used = this.#usedBy(account) + milliseconds;
        };
      },
      end: () => {
        if (state === 'idle') return;
        if (state !== 'preparing') this.#learn(account, kind, cost);
        cost = 0;
        become('idle');
      },
    };
  }

  async #wait(request: Waiting, signal: Departure | undefined): Promise<void> {
    if (signal?.aborted) throw clientGone();
    if (request.mayGo()) return request.go();
    const { account } = request;
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitMs } = this.options;
    if (account.waiting >= maxWaiting) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = (then: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        this.#waiting.delete(waiting);
        account.waiting--;
        then();
      };
      const gone = () => leave(() => reject(clientGone()));
      const tooLong = () => leave(() => reject(refusal()));
      const timer = maxWaitMs === undefined ? undefined : setTimeout(tooLong, maxWaitMs).unref();
      const waiting = { ...request, go: () => leave(() => resolve(request.go())) };
      account.waiting++;
      this.#waiting.add(waiting);
      this.#recheck ??= setInterval(() => this.#admit(), RECHECK_MS).unref();
      signal?.addEventListener('abort', gone);
    });
  }

  /** Of the requests that may go, admits those of the accounts that have used least. */
  #admit(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#recheck);
      this.#recheck = undefined;
      return;
    }
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (!waiting.mayGo()) continue;
      if (!next || this.#usedBy(waiting.account) < this.#usedBy(next.account)) next = waiting;
    }
    // `go` changes what may go, and admits the next.
    next?.go();
  }

  /** The part of a place that work takes. */
  #sizeOf({ averages }: Account, kind: unknown): number {
    const { expensiveMs } = this.options;
    if (expensiveMs === undefined) return 1;
    return Math.min(1, (averages.get(kind) ?? this.#averages.get(kind) ?? 0) / expensiveMs);
  }

  #learn({ averages }: Account, kind: unknown, cost: number): void {
    const ofAll = this.#averages.get(kind) ?? cost;
    averages.set(kind, ((averages.get(kind) ?? ofAll) + cost) / 2);
    this.#averages.set(kind, ofAll + (cost - ofAll) / 8);
  }

  #hasRoomFor(account: Account, size: number): boolean {
    const { places, expensiveMs } = this.options;
    let all = size;
    for (const work of this.#working) {
      if (work.account === account && work.size === 1 && size === 1) return false;
      all += work.size;
    }
    if (all <= places || expensiveMs === undefined) return all <= places;
    const much = 4 * this.#usedBy(account) + MUCH_MORE_MS;
    const now = this.#now();
    let taken = size;
    for (const work of this.#working) {
      if (this.#usedBy(work.account) + now - work.since <= much) taken += work.size;
    }
    return taken <= places;
  }

  #usedBy(account: Account): number {
    const now = this.#now();
    account.used *= 2 ** ((account.at - now) / HALF_LIFE_MS);
    account.at = now;
    return account.used;
  }

  #accountOf(key: number | string): Account {
    const now = this.#now();
    if (now >= this.#nextSweep) this.#sweep(now);
    let account = this.#accounts.get(key);
    if (!account) {
      account = { used: 0, at: now, averages: new Map(), preparing: 0, waiting: 0 };
      this.#accounts.set(key, account);
    }
    return account;
  }

  /** Forgets accounts that have used next to nothing lately. */
  #sweep(now: number): void {
    this.#nextSweep = now + HALF_LIFE_MS;
    for (const [key, account] of this.#accounts) {
      if (account.preparing === 0 && account.waiting === 0 && this.#usedBy(account) < 1) this.#accounts.delete(key);
    }
  }
}

const refusal = () => new RateLimitHit(HALF_LIFE_MS / 1000);
const clientGone = () => new Error('The client no longer waits for the response.');

/**
 * Divides time among parallel tasks. Together they pay no more than the time that has passed.
 * @param now milliseconds that never go back
 * @returns begins a task, and returns a function that ends it and returns its milliseconds
 */
export function cpuShare(now: () => number): () => () => number {
  let working = 0;
  /** Milliseconds that a task would have if it had run from the beginning. */
  let share = 0;
  let sharedUntil = 0;
  const shareOfEach = () => {
    const time = now();
    if (working > 0) share += (time - sharedUntil) / working;
    sharedUntil = time;
    return share;
  };
  return () => {
    const from = shareOfEach();
    working++;
    return () => {
      const milliseconds = shareOfEach() - from;
      working--;
      return milliseconds;
    };
  };
}
