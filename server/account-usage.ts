/** Of each millisecond that goes by, how much of what an account has used is forgotten, at most. */
const FORGOTTEN = 0.1;
/** Where the server has much to do, how much is forgotten of all those who are there: what remains is a fair share each. */
const FORGOTTEN_OF_ALL = 0.3;
/** Much to do: so much work in a millisecond. */
const MUCH = 0.5;
/** Milliseconds for which that is counted. */
const WINDOW = 1_000;
/** Milliseconds of work taken for granted of whoever has done nothing yet, where nobody has asked for the same. */
const UNKNOWN = 10;
/** Milliseconds between two looks for accounts that need not be remembered any more. */
const SWEEP = 60_000;

/** What is known of one who asks; `W` is what waits. */
export interface Usage<W> {
  /** Milliseconds of work, less what is forgotten by now. */
  used: number;
  /** When that was. */
  at: number;
  /** When it last asked for something. */
  seen: number;
  /** What a request of theirs costs, lately, and what one of each kind does. */
  average: number;
  readonly averages: Map<unknown, number>;
  underway: number;
  /** Of these, how many have taken longer than a turn. */
  overdue: number;
  /** Likewise, how many are not there as a whole: bodies take memory, and may take as long as their senders like. */
  arriving: number;
  /** In line. */
  readonly waiting: W[];
}

/** What each account has used, which is forgotten as time goes by, and what its requests cost. */
export class AccountUsage<W> {
  readonly #now: () => number;
  readonly #inLine: () => number;
  readonly #accounts = new Map<number | string, Usage<W>>();
  /** What a request of each kind costs, whoever makes it. */
  readonly #averages = new Map<unknown, number>();
  #nextSweep = 0;
  #window = { from: 0, work: 0, accounts: 0 };
  #forgotten = FORGOTTEN;

  /**
   * @param now milliseconds that never go back
   * @param inLine how many accounts wait
   */
  constructor(now: () => number, inLine: () => number) {
    this.#now = now;
    this.#inLine = inLine;
  }

  /** Of each millisecond, how much is forgotten of each account at the moment. */
  get forgotten(): number {
    return this.#forgotten;
  }

  of(key: number | string): Usage<W> {
    const now = this.#now();
    if (now >= this.#nextSweep) this.#sweep(now);
    if (now - this.#window.from >= WINDOW) this.#look(now);
    let account = this.#accounts.get(key);
    if (!account) {
      const nothing = { used: 0, underway: 0, overdue: 0, arriving: 0, seen: Number.NEGATIVE_INFINITY };
      account = { ...nothing, at: now, average: UNKNOWN, averages: new Map(), waiting: [] };
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

  /** Milliseconds of work that a request is expected to take: of what an account has not asked for, as others know it. */
  expected({ average, averages }: Usage<W>, kind: unknown): number {
    return averages.get(kind) ?? this.#averages.get(kind) ?? average;
  }

  /** A request has ended that took so many milliseconds of work. */
  learn(account: Usage<W>, kind: unknown, cost: number): void {
    account.averages.set(kind, (this.expected(account, kind) + cost) / 2);
    account.average = (account.average + cost) / 2;
    const ofAll = this.#averages.get(kind) ?? cost;
    this.#averages.set(kind, ofAll + (cost - ofAll) / 8);
  }

  /** How much there was to do, and for how many, decides what is a fair share from now on. */
  #look(now: number): void {
    const { from, work, accounts } = this.#window;
    const isMuch = work / (now - from) >= MUCH;
    const present = Math.max(1, accounts, this.#inLine());
    this.#forgotten = isMuch ? Math.min(FORGOTTEN, FORGOTTEN_OF_ALL / present) : FORGOTTEN;
    this.#window = { from: now, work: 0, accounts: 0 };
  }

  #sweep(now: number): void {
    this.#nextSweep = now + SWEEP;
    for (const [key, account] of this.#accounts) {
      if (account.underway === 0 && account.waiting.length === 0 && this.used(account) === 0)
        this.#accounts.delete(key);
    }
  }
}
