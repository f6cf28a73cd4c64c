/** Share of each passing millisecond by which the use of an account decreases, at most. */
const MAX_DECAY_PER_MS = 0.1;
/** The same for all active accounts together while the server is busy, so that each account gets a fair share. */
const MAX_TOTAL_DECAY_PER_MS = 0.3;
/** Busy: milliseconds of work per millisecond. */
const BUSY_WORK_PER_MS = 0.5;
/** Milliseconds of the measuring window. */
const BUSY_WINDOW_MS = 1_000;
/** Expected milliseconds of work for an unknown kind of request of an unknown account. */
const DEFAULT_WORK_MS = 10;
/** Milliseconds between two cleanups of unused accounts. */
const SWEEP_INTERVAL_MS = 60_000;

/** The use of an account. `W` is the type of its queued requests. */
export interface Usage<W> {
  /** Milliseconds of work, minus what is already forgotten. */
  used: number;
  /** Time of the last update of `used`. */
  at: number;
  /** Time of the last request. */
  seen: number;
  /** Recent average cost of its requests, in total and by kind. */
  average: number;
  readonly averages: Map<unknown, number>;
  underway: number;
  /** Of these, the number that took longer than a turn. */
  overdue: number;
  /** Of these, the number that have not fully arrived. Bodies take memory, and clients may send them slowly. */
  arriving: number;
  /** Queued requests. */
  readonly waiting: W[];
}

/** The work of each account, which is forgotten over time, and the cost of its requests. */
export class AccountUsage<W> {
  readonly #now: () => number;
  readonly #inLine: () => number;
  readonly #accounts = new Map<number | string, Usage<W>>();
  /** Average cost by kind, for all accounts. */
  readonly #averages = new Map<unknown, number>();
  #nextSweep = 0;
  #window = { from: 0, work: 0, accounts: 0 };
  #forgotten = MAX_DECAY_PER_MS;

  /**
   * @param now monotonic clock in milliseconds
   * @param inLine number of accounts with queued requests
   */
  constructor(now: () => number, inLine: () => number) {
    this.#now = now;
    this.#inLine = inLine;
  }

  /** Current share of each millisecond by which the use of an account decreases. */
  get forgotten(): number {
    return this.#forgotten;
  }

  of(key: number | string): Usage<W> {
    const now = this.#now();
    if (now >= this.#nextSweep) this.#sweep(now);
    if (now - this.#window.from >= BUSY_WINDOW_MS) this.#look(now);
    let account = this.#accounts.get(key);
    if (!account) {
      const nothing = { used: 0, underway: 0, overdue: 0, arriving: 0, seen: Number.NEGATIVE_INFINITY };
      account = { ...nothing, at: now, average: DEFAULT_WORK_MS, averages: new Map(), waiting: [] };
      this.#accounts.set(key, account);
    }
    if (account.seen < this.#window.from) this.#window.accounts++;
    account.seen = now;
    return account;
  }

  used(account: Usage<W>): number {
    const now = this.#now();
    account.used = Math.max(0, account.used - (now - account.at) * this.#forgotten);
    account.at = now;
    return account.used;
  }

  /** Counts milliseconds of work. */
  spend(account: Usage<W>, milliseconds: number): void {
    this.#window.work += milliseconds;
    account.used = this.used(account) + milliseconds;
  }

  /**
   * Expected milliseconds of work: the average of the account for this kind, or of all accounts for this kind, or of
   * the account.
   */
  expected({ average, averages }: Usage<W>, kind: unknown): number {
    return averages.get(kind) ?? this.#averages.get(kind) ?? average;
  }

  /** Updates the averages with the cost of a finished request. */
  learn(account: Usage<W>, kind: unknown, cost: number): void {
    account.averages.set(kind, (this.expected(account, kind) + cost) / 2);
    account.average = (account.average + cost) / 2;
    const ofAll = this.#averages.get(kind) ?? cost;
    this.#averages.set(kind, ofAll + (cost - ofAll) / 8);
  }

  /** Adjusts the rate of forgetting to the load and the number of active accounts. */
  #look(now: number): void {
    const { from, work, accounts } = this.#window;
    const isMuch = work / (now - from) >= BUSY_WORK_PER_MS;
    const present = Math.max(1, accounts, this.#inLine());
    this.#forgotten = isMuch ? Math.min(MAX_DECAY_PER_MS, MAX_TOTAL_DECAY_PER_MS / present) : MAX_DECAY_PER_MS;
    this.#window = { from: now, work: 0, accounts: 0 };
  }

  #sweep(now: number): void {
    this.#nextSweep = now + SWEEP_INTERVAL_MS;
    for (const [key, account] of this.#accounts) {
      if (account.underway === 0 && account.waiting.length === 0 && this.used(account) === 0)
        this.#accounts.delete(key);
    }
  }
}
