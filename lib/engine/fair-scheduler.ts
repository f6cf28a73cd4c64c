import type { CancelSignal } from '../base/cancel-signal.ts';
import { RateLimitHit } from '../base/errors.ts';
import type { Permit } from '../viewer/context.ts';

/** Milliseconds after which half of what an account has used is forgotten. */
const HALF_LIFE_MS = 60_000;
/** Milliseconds. An account does not wait for accounts that have used four times as much and this much more. */
const OVERUSE_MARGIN_MS = 500;
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

/** The permit of a request that also arrives in turn. */
export interface RequestPermit extends Permit {
  /** Waits until the account may send another request. */
  enter(): Promise<void>;
  /**
   * The request has fully arrived. Waits for a place if its work is expected to be expensive. Requests without a body
   * call it without `enter`: arriving requests of the account do not delay them.
   * @param kind requests of the same kind and account cost about the same
   */
  begin(kind?: unknown): Promise<void>;
}

interface Account {
  /** Milliseconds of work, minus what is forgotten. */
  used: number;
  at: number;
  /** Average milliseconds by kind of work. */
  readonly averages: Map<unknown, number>;
  preparing: number;
  /** Requests that wait to prepare. Only requests of the account itself delay them. */
  readonly entering: Set<Waiting>;
  waiting: number;
}

interface Work {
  readonly account: Account;
  readonly size: number;
  readonly since: number;
}

interface Request {
  readonly account: Account;
  /** Part of a place. */
  readonly size: number;
  go(): void;
}

interface Waiting extends Request {
  /** How many pieces of expensive work had begun when it arrived. */
  readonly expensiveBefore: number;
}

/**
 * Shares work among accounts, so that an expensive account delays only itself. Work waits for a place, or for a part of
 * one if it is cheap. The account that has used least is next. Cheap work passes once another piece of expensive work
 * has begun since it arrived, unless its account has used much more. How much work is expected follows from what work of
 * the same kind has cost the account before. An account has one expensive piece of work under way.
 *
 * A permit is idle -> preparing (the request arrives, then waits for a place) -> working -> idle. Requests
 * without a body skip preparing.
 */
export class FairScheduler {
  readonly #now: () => number;
  readonly #beginTask: () => () => number;
  readonly #accounts = new Map<number | string, Account>();
  /** Prepared requests without a place, in order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #waitingCount = 0;
  /** Average milliseconds by kind of work, for all accounts. */
  readonly #averages = new Map<unknown, number>();
  readonly #working = new Set<Work>();
  #expensiveBegun = 0;
  #nextSweep = 0;
  #recheck: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairSchedulerOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#beginTask = cpuShare(this.#now);
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Runs expensive work when it is the turn of the account. */
  async run<T>(key: number | string, work: () => Promise<T>, signal?: CancelSignal): Promise<T> {
    const permit = this.permit(key, signal);
    try {
      await permit.enter();
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
  permit(key: number | string, signal?: CancelSignal): RequestPermit {
    if (this.#now() >= this.#nextSweep) this.#sweep(this.#now());
    let state: 'idle' | 'preparing' | Work = 'idle';
    let kind: unknown;
    let cost = 0;
    // Looks up the account in each step: a sweep may forget it while its poll waits for events.
    const become = (next: typeof state) => {
      const account = this.#accountOf(key);
      const hasFreed = typeof state === 'object';
      if (state === 'preparing') account.preparing--;
      if (next === 'preparing') account.preparing++;
      if (typeof state === 'object') this.#working.delete(state);
      if (typeof next === 'object') {
        this.#working.add(next);
        if (next.size === 1) this.#expensiveBegun++;
      }
      state = next;
      const [first] = account.entering;
      if (account.preparing < MAX_PREPARING) first?.go();
      if (hasFreed) this.#admit();
    };
    const enter = async () => {
      if (state !== 'idle') return;
      const account = this.#accountOf(key);
      const go = () => become('preparing');
      if (account.preparing < MAX_PREPARING && !signal?.aborted) return go();
      await this.#wait(account.entering, { account, size: 0, go }, signal);
    };
    return {
      enter,
      begin: async (given) => {
        if (typeof state === 'object') return;
        kind = given;
        const account = this.#accountOf(key);
        const size = this.#sizeOf(account, kind);
        const go = () => become({ account, size, since: this.#now() });
        const now = this.#now();
        if (this.#roomFor(now)(account, size) && this.#passesWaiting(account, now) && !signal?.aborted) return go();
        await this.#wait(this.#waiting, { account, size, go }, signal);
      },
      beginWork: () => {
        const endWork = this.#beginTask();
        return () => {
          const milliseconds = endWork();
          cost += milliseconds;
          const account = this.#accountOf(key);
          account.used = this.#usedBy(account, this.#now()) + milliseconds;
        };
      },
      end: () => {
        if (typeof state === 'object') this.#learn(state.account, kind, cost);
        // Also of idle permits: a stream has worked for minutes when it takes a place.
        cost = 0;
        if (state !== 'idle') become('idle');
      },
    };
  }

  async #wait(queue: Set<Waiting>, request: Request, signal: CancelSignal | undefined): Promise<void> {
    if (signal?.aborted) throw clientGone();
    const { account } = request;
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitMs } = this.options;
    if (account.waiting >= maxWaiting) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = (then: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        queue.delete(waiting);
        account.waiting--;
        this.#waitingCount--;
        then();
      };
      const gone = () => leave(() => reject(clientGone()));
      const tooLong = () => leave(() => reject(refusal()));
      const timer = maxWaitMs === undefined ? undefined : setTimeout(tooLong, maxWaitMs).unref();
      const expensiveBefore = this.#expensiveBegun;
      const waiting = { ...request, expensiveBefore, go: () => leave(() => resolve(request.go())) };
      account.waiting++;
      this.#waitingCount++;
      queue.add(waiting);
      this.#recheck ??= setInterval(() => this.#admit(), RECHECK_MS).unref();
      signal?.addEventListener('abort', gone);
    });
  }

  /** Admits requests of the accounts that have used least, until the next of them has no room. */
  #admit(): void {
    while (this.#waiting.size > 0) {
      const now = this.#now();
      const next = this.#leastUsed(now, (waiting) => !this.#waitsForItself(waiting));
      if (!next) return;
      const limit = this.#overuse(next.account, now);
      const passing = this.#leastUsed(
        now,
        ({ account, size, expensiveBefore }) =>
          size < 1 && expensiveBefore < this.#expensiveBegun && this.#usedBy(account, now) <= limit,
      );
      const hasRoom = this.#roomFor(now);
      const admitted = [passing, next].find((waiting) => waiting && hasRoom(waiting.account, waiting.size));
      if (!admitted) return;
      admitted.go();
    }
    clearInterval(this.#recheck);
    this.#recheck = undefined;
  }

  #leastUsed(now: number, isWanted: (waiting: Waiting) => boolean): Waiting | undefined {
    let least: Waiting | undefined;
    let leastUsed = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      const used = this.#usedBy(waiting.account, now);
      if (used >= leastUsed || !isWanted(waiting)) continue;
      least = waiting;
      leastUsed = used;
    }
    return least;
  }

  /** Milliseconds. Accounts that have used more have used much more than this one. */
  #overuse(account: Account, now: number): number {
    return 4 * this.#usedBy(account, now) + OVERUSE_MARGIN_MS;
  }

  /**
   * Whether the account has used less than all accounts that wait for a place. If cheap work always began at once,
   * expensive work of others would never find a free place.
   */
  #passesWaiting(account: Account, now: number): boolean {
    for (const waiting of this.#waiting) {
      if (waiting.account === account || this.#waitsForItself(waiting)) continue;
      if (this.#usedBy(waiting.account, now) <= this.#usedBy(account, now)) return false;
    }
    return true;
  }

  /** Whether expensive work of its own account is under way. */
  #waitsForItself({ account, size }: Omit<Request, 'go'>): boolean {
    if (size < 1) return false;
    for (const work of this.#working) if (work.account === account && work.size === 1) return true;
    return false;
  }

  /** The part of a place that work takes. */
  #sizeOf({ averages }: Account, kind: unknown): number {
    const { expensiveMs } = this.options;
    if (expensiveMs === undefined) return 1;
    return Math.min(1, (averages.get(kind) ?? this.#averages.get(kind) ?? 0) / expensiveMs);
  }

  #learn({ averages }: Account, kind: unknown, cost: number): void {
    // A call that waited long for a lock must not make its kind expensive for many further calls.
    const learned = Math.min(cost, 2 * (this.options.expensiveMs ?? 0));
    const ofAll = this.#averages.get(kind) ?? learned;
    averages.set(kind, ((averages.get(kind) ?? ofAll) + learned) / 2);
    this.#averages.set(kind, ofAll + (learned - ofAll) / 8);
  }

  /** Whether there is room for work of an account and size. The work under way is looked at once, and only if needed. */
  #roomFor(now: number): (account: Account, size: number) => boolean {
    const { places, expensiveMs } = this.options;
    let taken = 0;
    for (const { size } of this.#working) taken += size;
    let loads: { used: number; size: number }[] | undefined;
    return (account, size) => {
      if (this.#waitsForItself({ account, size })) return false;
      if (taken + size <= places || expensiveMs === undefined) return taken + size <= places;
      loads ??= [...this.#working].map((work) => ({
        used: this.#usedBy(work.account, now) + now - work.since,
        size: work.size,
      }));
      const limit = this.#overuse(account, now);
      return loads.reduce((sum, load) => (load.used <= limit ? sum + load.size : sum), size) <= places;
    };
  }

  #usedBy(account: Account, now: number): number {
    if (now === account.at) return account.used;
    account.used *= 2 ** ((account.at - now) / HALF_LIFE_MS);
    account.at = now;
    return account.used;
  }

  #accountOf(key: number | string): Account {
    let account = this.#accounts.get(key);
    if (!account) {
      account = { used: 0, at: this.#now(), averages: new Map(), preparing: 0, entering: new Set(), waiting: 0 };
      this.#accounts.set(key, account);
    }
    return account;
  }

  /** Forgets accounts that have used next to nothing lately, and do nothing now. */
  #sweep(now: number): void {
    this.#nextSweep = now + HALF_LIFE_MS;
    const working = new Set([...this.#working].map(({ account }) => account));
    for (const [key, account] of this.#accounts) {
      const isIdle = account.preparing === 0 && account.waiting === 0 && !working.has(account);
      if (isIdle && this.#usedBy(account, now) < 1) this.#accounts.delete(key);
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
