import { RateLimitHit } from '../lib/index.ts';
import { AccountUsage, type Usage } from './account-usage.ts';
import { ClientGone } from './body-stream.ts';
import { ConcurrencyBudget } from './concurrency-budget.ts';
import { CpuShare } from './cpu-share.ts';
import type { ServerAnswer } from './exchange.ts';

/** Milliseconds of work that an account may use before its requests must queue. */
const FREE_WORK_MS = 300;
/** Milliseconds of work. Requests that are expected to take no more do not wait for slow requests. */
const MAX_QUICK_WORK_MS = 20;
/** Milliseconds of expected work that quick requests may have under way together. */
const QUICK_BUDGET_MS = 100;
/**
 * The same for slower requests of accounts that have used little. Each counts as at most `MODEST_OF_ONE`, so four run
 * in parallel.
 */
const MODEST_BUDGET_MS = 100;
const MAX_MODEST_WORK_MS = 25;
/** Requests that an account may have under way in parallel without queueing. */
const MAX_CONCURRENT_UNQUEUED = 2;
/** Milliseconds of expected work that queued requests may have under way together. */
const QUEUE_BUDGET_MS = 25;
/** Maximum number of queued requests per account. */
const MAX_WAITING = 50;
/**
 * Maximum milliseconds in the queue. Most proxies give up after 60 s, and then the client does not learn the result.
 */
const MAX_WAIT_MS = 45_000;
/** Milliseconds. If a request ran without queueing within this time, the queue yields half of the time to others. */
const RECENT_MS = 1_000;
/** Milliseconds. Requests that take less work need no pause after them. */
const MAX_WORK_WITHOUT_REST_MS = 5;
/** Maximum pause in milliseconds. */
const MAX_REST_MS = 1_000;
/** An admitted request. Counts its cost, and frees its place when it ends. */
export interface Permit {
  /** The request has fully arrived, and work begins. */
  begin(): void;
  /** Adds milliseconds of exclusive work. */
  spend(milliseconds: number): void;
  /** Begins work in parallel with other requests. Call the returned function when the work ends. */
  beginWork(): () => void;
  /** Frees the place, also when the request only waits from now on. Later work still counts. */
  end(): void;
}

type Account = Usage<Waiting>;

interface Waiting {
  readonly kind: unknown;
  admit(room: ConcurrencyBudget): void;
}

interface QueuedRequest {
  account: Account;
  expected: number;
  /** Set if the request need not queue. */
  room: ConcurrencyBudget | undefined;
  used: number;
}

/**
 * Admits requests so that an expensive account delays only itself. An account that has used little is admitted
 * immediately, and so is a request of a cheap kind. Other requests queue, and so do requests of an account with several
 * under way. The account that has used least is next. Little work from the queue is under way at a time, measured by
 * cost, so many cheap requests run in parallel. While other accounts are active, the queue pauses for as long as it
 * works.
 */
export class FairQueue {
  readonly #now: () => number;
  readonly #time: CpuShare;
  readonly #accounts: AccountUsage<Waiting>;
  /** Accounts with queued requests. */
  readonly #inLine = new Set<Account>();
  readonly #quick = new ConcurrencyBudget(QUICK_BUDGET_MS);
  /** For quick requests of accounts that have used little, so that they do not wait for heavy accounts. */
  readonly #quickOfModest = new ConcurrencyBudget(QUICK_BUDGET_MS);
  readonly #modest = new ConcurrencyBudget(MODEST_BUDGET_MS, MAX_MODEST_WORK_MS);
  /** For requests that have queued. */
  readonly #line = new ConcurrencyBudget(QUEUE_BUDGET_MS);
  #restsUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When a request was last admitted without queueing. */
  #othersAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds that never go back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#time = new CpuShare(now);
    this.#accounts = new AccountUsage(now, () => this.#inLine.size);
  }

  /** Number of queued requests. */
  get waiting(): number {
    return [...this.#inLine].reduce((count, { waiting }) => count + waiting.length, 0);
  }

  /**
   * Admits a request of an account, immediately or when it is next.
   * @param kind requests of the same kind and account cost about the same
   * @throws RateLimitHit if too many requests of the account wait, or this request has waited too long; ClientGone
   */
  enter(key: number | string, res: ServerAnswer, kind?: unknown): Permit | Promise<Permit> {
    const account = this.#accounts.of(key);
    const room =
      account.waiting.length === 0 && this.#roomFor(account, this.#accounts.expected(account, kind), this.#little());
    if (room) return this.#turn(account, kind, room);
    if (account.waiting.length >= MAX_WAITING) throw this.#refusal(account);
    return this.#wait(account, res, kind);
  }

  /** The room for a request that need not queue, or undefined. */
  #roomFor(account: Account, expected: number, little: number): ConcurrencyBudget | undefined {
    if (account.underway >= MAX_CONCURRENT_UNQUEUED || account.overdue > 0) return undefined;
    const isModest = this.#accounts.used(account) < little;
    const quick = isModest ? this.#quickOfModest : this.#quick;
    if (expected <= MAX_QUICK_WORK_MS && quick.hasPlaceFor(expected)) return quick;
    return isModest && this.#modest.hasPlaceFor(expected) ? this.#modest : undefined;
  }

  /**
   * Milliseconds of use that count as little: the allowance, or a quarter of the average use of queued accounts if that
   * is more.
   */
  #little(): number {
    let used = 0;
    for (const account of this.#inLine) used += this.#accounts.used(account);
    return Math.max(FREE_WORK_MS, used / Math.max(1, this.#inLine.size) / 4);
  }

  /** Like `Turn.beginWork`, for work that is too small for a turn. */
  beginWork(key: number | string): () => void {
    const end = this.#time.begin();
    return () => this.#accounts.spend(this.#accounts.of(key), end());
  }

  /** A 429 with the time until the use of the account is forgotten. */
  #refusal(account: Account): RateLimitHit {
    const seconds = this.#accounts.used(account) / this.#accounts.forgotten / 1_000;
    return new RateLimitHit(Math.min(60, Math.max(1, Math.ceil(seconds))));
  }

  #wait(account: Account, res: ServerAnswer, kind: unknown): Promise<Permit> {
    if (res.destroyed) throw new ClientGone();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        kind,
        admit: (room) => {
          clearTimeout(tooLong);
          res.off('close', gone);
          resolve(this.#turn(account, kind, room));
        },
      };
      const leave = (reason: Error) => {
        clearTimeout(tooLong);
        res.off('close', gone);
        account.waiting.splice(account.waiting.indexOf(waiting), 1);
        if (account.waiting.length === 0) this.#inLine.delete(account);
        reject(reason);
      };
      const gone = () => leave(new ClientGone());
      const tooLong = setTimeout(() => leave(this.#refusal(account)), MAX_WAIT_MS).unref();
      res.once('close', gone);
      account.waiting.push(waiting);
      this.#inLine.add(account);
      this.#admit();
    });
  }

  #turn(account: Account, kind: unknown, room: ConcurrencyBudget): Permit {
    if (room !== this.#line) this.#othersAt = this.#now();
    const expected = this.#accounts.expected(account, kind);
    account.underway++;
    account.arriving++;
    let cost = 0;
    let state: 'arriving' | 'working' | 'over' = 'arriving';
    const place = room.enter(expected, () => {
      if (place.isOverdue) account.overdue++;
      this.#admit();
    });
    const begin = () => {
      if (state !== 'arriving') return;
      state = 'working';
      account.arriving--;
      place.begin();
      // An account at its limit of arriving requests may now send the next one.
      this.#admit();
    };
    const end = () => {
      if (state === 'over') return;
      if (state === 'arriving') account.arriving--;
      state = 'over';
      if (place.isOverdue) account.overdue--;
      place.leave();
      account.underway--;
      this.#accounts.learn(account, kind, cost);
      const now = this.#now();
      if (room === this.#line && cost > MAX_WORK_WITHOUT_REST_MS && now - this.#othersAt < RECENT_MS) {
        this.#restsUntil = Math.max(this.#restsUntil, now + Math.min(cost, MAX_REST_MS));
      }
      this.#admit();
    };
    const spend = (milliseconds: number) => {
      cost += milliseconds;
      this.#accounts.spend(account, milliseconds);
    };
    const beginWork = () => {
      const endWork = this.#time.begin();
      return () => spend(endWork());
    };
    return { begin, spend, beginWork, end };
  }

  /** Admits the account that has used least, as long as there is room. */
  #admit(): void {
    while (this.#inLine.size > 0) {
      const next = this.#next();
      if (!next) return;
      const { account, expected, room } = next;
      if (!room) {
        const rest = this.#restsUntil - this.#now();
        if (rest > 0 && account.used >= FREE_WORK_MS) {
          this.#timer ??= setTimeout(() => {
            this.#timer = undefined;
            this.#admit();
          }, rest);
          return;
        }
        if (!this.#line.hasPlaceFor(expected)) return;
      }
      const first = account.waiting.shift() as Waiting;
      if (account.waiting.length === 0) this.#inLine.delete(account);
      first.admit(room ?? this.#line);
    }
  }

  /**
   * The account that has used least. Accounts that need not queue come first. Skips accounts whose requests have not
   * fully arrived.
   */
  #next(): QueuedRequest | undefined {
    const little = this.#little();
    let least: QueuedRequest | undefined;
    for (const account of this.#inLine) {
      if (account.arriving >= MAX_CONCURRENT_UNQUEUED) continue;
      const expected = this.#accounts.expected(account, account.waiting[0]?.kind);
      const room = this.#roomFor(account, expected, little);
      if (least?.room && !room) continue;
      const used = this.#accounts.used(account) + account.underway * account.average;
      if (!least || (room && !least.room) || used < least.used) least = { account, expected, room, used };
    }
    return least;
  }
}
