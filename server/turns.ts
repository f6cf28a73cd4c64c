import { RateLimitHit } from '../lib/index.ts';
import type { CancelSignal, Permit } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';

/** Milliseconds of work that take a whole place. Cheaper work takes a part of one. */
const PLACE_MS = 250;
/** Milliseconds that an account saves at most. */
const MAX_SAVED_MS = 500;
/** Milliseconds. An account that has saved more begins at once. */
const ENOUGH_SAVED_MS = 250;
/** Requests of an account that may arrive, or wait with their bodies, together. Bodies take memory. */
const MAX_ARRIVING = 2;
/** Per account. */
const MAX_WAITING = 50;
/** Most proxies give up after 60 s, and then the client does not learn the result. */
const MAX_WAIT_MS = 45_000;
/** Seconds for the Retry-After header. */
const RETRY_AFTER = 60;
const SWEEP_MS = 60_000;
/** Milliseconds between the rounds that pass while requests wait. */
const ROUND_MS = 100;

type State = 'idle' | 'arriving' | 'working';

/**
 * A place for expensive work and one for cheap work. With one for both, cheap work waits for a request of seven seconds
 * as soon as its account has used up its share.
 */
type Lane = 'cheap' | 'expensive';

interface Waiting {
  /** Milliseconds of a place. */
  readonly size: number;
  go(): void;
}

class Account {
  /** Milliseconds that it may still work. Negative after more than its share. */
  deficit = MAX_SAVED_MS;
  /** Milliseconds that its requests under way are expected to take. */
  expected = 0;
  arriving = 0;
  working = 0;
  /** Since the last sweep. */
  isUsed = true;
  /** Requests that wait, in order of arrival: their bodies for those of the account, or for a place. */
  readonly waiting = { bodies: new Set<Waiting>(), cheap: new Set<Waiting>(), expensive: new Set<Waiting>() };
  /** Average milliseconds by kind of work. */
  readonly averages = new Map<unknown, number>();

  /** @param countedTo the rounds that `deficit` contains */
  constructor(private countedTo: number) {}

  /** Milliseconds that it may begin to work. @param rounds milliseconds that all rounds so far have given */
  left(rounds: number): number {
    this.deficit = Math.min(MAX_SAVED_MS, this.deficit + rounds - this.countedTo);
    this.countedTo = rounds;
    return this.deficit - this.expected;
  }

  get waitingCount(): number {
    const { bodies, cheap, expensive } = this.waiting;
    return bodies.size + cheap.size + expensive.size;
  }
}

/**
 * Shares the time of the server among accounts by deficit round robin, so that an expensive account delays only itself.
 *
 * Every round gives each account the same number of milliseconds, and each pays for its work as measured. An account
 * saves some of them, and begins at once as long as it has enough. Others wait for a place, each in order of arrival. The
 * account with the most milliseconds left is next. Rounds pass when a place is free, until this account may begin. They
 * also pass with time: otherwise an account waits for all of a request that takes a minute.
 */
export class Turns {
  readonly #accounts = new Map<number | string, Account>();
  /** Each with the accounts that wait for it, and the milliseconds of it that are taken. */
  readonly #places = {
    cheap: { waiting: new Set<Account>(), taken: 0 },
    expensive: { waiting: new Set<Account>(), taken: 0 },
  };
  /** Average milliseconds by kind of work, for all accounts. */
  readonly #averages = new Map<unknown, number>();
  /** Milliseconds that the rounds so far have given to each account. */
  #rounds = 0;
  #nextSweep = 0;
  /** While requests wait. */
  #timer: NodeJS.Timeout | undefined;
  readonly beginTask: () => () => number;

  /** @param now milliseconds that never go back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.beginTask = cpuShare(now);
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return [...this.#accounts.values()].reduce((sum, { waitingCount }) => sum + waitingCount, 0);
  }

  /** @param signal aborted when the client is gone */
  turn(key: number | string, signal: CancelSignal): Turn {
    if (this.now() >= this.#nextSweep) this.#sweep();
    return new Turn(this, key, signal);
  }

  accountOf(key: number | string): Account {
    let account = this.#accounts.get(key);
    if (!account) {
      account = new Account(this.#rounds);
      this.#accounts.set(key, account);
    }
    account.isUsed = true;
    return account;
  }

  /**
   * The average cost of a kind of work: for the account, or else for all. Work of an unknown kind uses up what an account
   * has saved. Otherwise twenty accounts can begin a hundred expensive requests at once, before any of them is known.
   */
  expectedOf({ averages }: Account, kind: unknown): number {
    return averages.get(kind) ?? this.#averages.get(kind) ?? MAX_SAVED_MS;
  }

  learn({ averages }: Account, kind: unknown, cost: number): void {
    const ofAll = this.#averages.get(kind) ?? cost;
    // The first cost counts as a whole: the average of all may be that of an attack.
    averages.set(kind, ((averages.get(kind) ?? cost) + cost) / 2);
    this.#averages.set(kind, ofAll + (cost - ofAll) / 8);
  }

  mayBegin(account: Account, expected: number): boolean {
    const lane = laneOf(expected);
    if (account.waiting[lane].size > 0) return false;
    if (account.left(this.#rounds) > ENOUGH_SAVED_MS) return true;
    return this.#places[lane].waiting.size === 0 && this.#hasRoom(lane, sizeOf(expected));
  }

  begin(account: Account, expected: number): void {
    // Rounds pass until the account may begin.
    this.#rounds += Math.max(0, -account.left(this.#rounds));
    account.expected += expected;
    account.working++;
    this.#places[laneOf(expected)].taken += sizeOf(expected);
  }

  end(account: Account, expected: number): void {
    account.expected -= expected;
    account.working--;
    this.#places[laneOf(expected)].taken -= sizeOf(expected);
    this.#admit('cheap');
    this.#admit('expensive');
  }

  /** @throws RateLimitHit, ClientGone */
  async wait(account: Account, line: Lane | 'bodies', request: Waiting, signal: CancelSignal): Promise<void> {
    if (account.waitingCount >= MAX_WAITING) throw new RateLimitHit(RETRY_AFTER);
    return new Promise((resolve, reject) => {
      const leave = (then: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
        account.waiting[line].delete(waiting);
        if (line !== 'bodies' && account.waiting[line].size === 0) this.#places[line].waiting.delete(account);
        then();
      };
      const gone = () => leave(() => reject(new ClientGone()));
      const timer = setTimeout(() => leave(() => reject(new RateLimitHit(RETRY_AFTER))), MAX_WAIT_MS).unref();
      const waiting = { ...request, go: () => leave(() => resolve(request.go())) };
      account.waiting[line].add(waiting);
      if (line !== 'bodies') this.#places[line].waiting.add(account);
      this.#timer ??= setInterval(() => this.#passRound(), ROUND_MS).unref();
      signal.addEventListener('abort', gone);
    });
  }

  /** Admits requests of the accounts with the most milliseconds left, until the next one has no room. */
  #admit(lane: Lane): void {
    for (let next = this.#next(lane); next; next = this.#next(lane)) {
      const [first] = next.waiting[lane];
      if (!first || (next.left(this.#rounds) <= ENOUGH_SAVED_MS && !this.#hasRoom(lane, first.size))) return;
      first.go();
    }
  }

  /** The accounts that wait or work share the time of the round. */
  #passRound(): void {
    const busy = [...this.#accounts.values()].filter(({ working, waitingCount }) => working + waitingCount > 0);
    if (busy.length > 0) this.#rounds += ROUND_MS / busy.length;
    this.#admit('cheap');
    this.#admit('expensive');
    if (busy.some(({ waitingCount }) => waitingCount > 0)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #hasRoom(lane: Lane, size: number): boolean {
    return this.#places[lane].taken + size <= PLACE_MS;
  }

  #next(lane: Lane): Account | undefined {
    let next: Account | undefined;
    for (const account of this.#places[lane].waiting)
      if (!next || account.left(this.#rounds) > next.left(this.#rounds)) next = account;
    return next;
  }

  /** Forgets accounts that have sent nothing for a minute or two. */
  #sweep(): void {
    this.#nextSweep = this.now() + SWEEP_MS;
    for (const [key, account] of this.#accounts) {
      const isIdle = account.arriving + account.working + account.waitingCount === 0;
      if (isIdle && !account.isUsed) this.#accounts.delete(key);
      account.isUsed = false;
    }
  }
}

/** The turn of a request: idle -> arriving (its body) -> working -> idle. Requests without a body skip arriving. */
export class Turn implements Permit {
  #state: State = 'idle';
  #kind: unknown;
  #expected = 0;
  #cost = 0;

  constructor(
    private readonly turns: Turns,
    private readonly key: number | string,
    private readonly signal: CancelSignal,
  ) {}

  /** Looked up in each step: a sweep may forget it while a poll waits for events. */
  get #account(): Account {
    return this.turns.accountOf(this.key);
  }

  /** Waits until the account may send another body. @throws RateLimitHit, ClientGone */
  enter(): Promise<void> | undefined {
    if (this.#state !== 'idle') return undefined;
    return this.#become('arriving', 'bodies', this.#account.arriving < MAX_ARRIVING);
  }

  /**
   * Waits for a place, if the account has used up its share.
   * @param kind requests of the same kind and account cost about the same
   * @throws RateLimitHit, ClientGone
   */
  begin(kind?: unknown): Promise<void> | undefined {
    if (this.#state === 'working') return undefined;
    const account = this.#account;
    this.#kind = kind;
    this.#expected = this.turns.expectedOf(account, kind);
    return this.#become('working', laneOf(this.#expected), this.turns.mayBegin(account, this.#expected));
  }

  /** Charges work, also that of a poll in its idle state. */
  beginWork(): () => void {
    const endTask = this.turns.beginTask();
    return () => {
      const milliseconds = endTask();
      this.#cost += milliseconds;
      this.#account.deficit -= milliseconds;
    };
  }

  end(): void {
    if (this.#state === 'working') this.turns.learn(this.#account, this.#kind, this.#cost);
    // Also in the idle state: a stream has worked for minutes when it takes a place.
    this.#cost = 0;
    if (this.#state !== 'idle') this.#change('idle');
  }

  #become(state: State, line: Lane | 'bodies', isNow: boolean): Promise<void> | undefined {
    if (this.signal.aborted) throw new ClientGone();
    const waiting = { size: sizeOf(this.#expected), go: () => this.#change(state) };
    if (!isNow) return this.turns.wait(this.#account, line, waiting, this.signal);
    this.#change(state);
    return undefined;
  }

  #change(next: State): void {
    const account = this.#account;
    const before = this.#state;
    this.#state = next;
    if (before === 'arriving') account.arriving--;
    if (next === 'arriving') account.arriving++;
    if (next === 'working') this.turns.begin(account, this.#expected);
    const [first] = account.waiting.bodies;
    if (account.arriving < MAX_ARRIVING) first?.go();
    if (before === 'working') this.turns.end(account, this.#expected);
  }
}

/** Whole milliseconds of a place, so that their sum is exact. */
const sizeOf = (expected: number) => Math.min(PLACE_MS, Math.round(expected));
const laneOf = (expected: number): Lane => (expected < PLACE_MS ? 'cheap' : 'expensive');

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
