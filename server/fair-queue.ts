import { RateLimitHit } from '../lib/index.ts';
import { ClientGone } from './body-stream.ts';
import type { ServerAnswer } from './exchange.ts';

/** Milliseconds of the server's work that an account may use before its requests wait in line. */
const ALLOWANCE = 300;
/** Of each millisecond that goes by, how much of what an account has used is forgotten, at most. */
const FORGOTTEN = 0.1;
/** Where the server has much to do, how much is forgotten of all those who are there: what remains is a fair share each. */
const FORGOTTEN_OF_ALL = 0.3;
/** Much to do: so much work in a millisecond. */
const MUCH = 0.5;
/** Milliseconds for which that is counted. */
const WINDOW = 1_000;
/** Milliseconds of work that may be under way without having waited in line, as far as it is known beforehand. */
const OUTSIDE = 100;
/** Requests that an account may have under way at once without waiting in line. */
const ABREAST = 2;
/** Milliseconds of work that those in line may have under way together, as far as it is known beforehand. */
const ROOM = 25;
/** Milliseconds of work taken for granted of whoever has done nothing yet. */
const UNKNOWN = 10;
/** Requests of an account that wait at most. */
const MAX_WAITING = 50;
/** Milliseconds in which a request arrives as a whole, or else keeps no place in the line meanwhile. */
const ARRIVAL = 20;
/** Milliseconds after which the next has its turn, though the one before it goes on. */
const MAX_TURN = 1_000;
/** How many may go on like that: they take the disk and the database from each other, and from everybody. */
const MAX_OVERDUE = 3;
/** Milliseconds. Somebody who is not in line was there lately: they get as much of the time as the line does. */
const LATELY = 1_000;
/** Milliseconds of work that need no rest after them. */
const BRIEF = 5;
/** Milliseconds: some of what work takes it waits for others itself. */
const MAX_REST = 200;
/** Milliseconds between two looks for accounts that need not be remembered any more. */
const SWEEP = 60_000;

/** A request that is let in: what it costs is counted, and it makes room when it has ended. */
export interface Turn {
  /** All of it is there: what comes now is work. */
  begin(): void;
  /** Milliseconds of work done for it. */
  spend(milliseconds: number): void;
  /** Others may come; also when it only waits from now on. What is spent later is counted all the same. */
  end(): void;
}

interface Account {
  /** Milliseconds of work, less what is forgotten by now. */
  used: number;
  /** When that was. */
  at: number;
  /** When it last asked for something. */
  seen: number;
  /** What a request of theirs costs, lately. */
  average: number;
  underway: number;
  /** Of these, how many are not there as a whole: bodies take memory, and may take as long as their senders like. */
  arriving: number;
  /** What lets each of their requests in line in. */
  readonly waiting: (() => void)[];
}

/**
 * Lets requests in so that somebody who costs much keeps nobody waiting but themselves. An account that uses little is
 * let in at once. The requests of one that has used more than its allowance, or has several under way, wait in line,
 * where whoever has used least comes first and little is under way at a time; what they cost is measured, so many cheap
 * ones go on side by side. While others are there, the line rests as long as it works.
 */
export class FairQueue {
  readonly #now: () => number;
  readonly #accounts = new Map<number | string, Account>();
  /** Those with requests in line. */
  readonly #inLine = new Set<Account>();
  #underway = 0;
  /** Those that took longer than a turn, and go on. */
  #overdue = 0;
  /** Milliseconds of work that these are expected to take. */
  #expected = 0;
  /** Likewise of those that did not wait. */
  #outside = 0;
  #restsUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When somebody was last let in who did not wait in line. */
  #othersAt = Number.NEGATIVE_INFINITY;
  #nextSweep = 0;
  #window = { from: 0, work: 0, accounts: 0 };
  /** Of each millisecond, how much is forgotten of each account at the moment. */
  #forgotten = FORGOTTEN;

  /** @param now milliseconds that never go back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Requests in line at the moment. */
  get waiting(): number {
    return [...this.#inLine].reduce((count, { waiting }) => count + waiting.length, 0);
  }

  /**
   * Lets a request of an account in, at once or when its turn has come.
   * @throws RateLimitHit when too many of its requests wait already, ClientGone
   */
  enter(key: number | string, res: ServerAnswer): Turn | Promise<Turn> {
    const account = this.#accountOf(key);
    const isModest = account.underway < ABREAST && this.#used(account) < ALLOWANCE;
    if (isModest && account.waiting.length === 0 && this.#outside + account.average <= OUTSIDE) {
      this.#othersAt = this.#now();
      return this.#turn(account, undefined);
    }
    if (account.waiting.length >= MAX_WAITING) {
      throw new RateLimitHit(Math.min(60, Math.max(1, Math.ceil(account.used / this.#forgotten / 1_000))));
    }
    return this.#wait(account, res);
  }

  /** Counts work that needs no turn of its own, since it is little. */
  spend(key: number | string, milliseconds: number): void {
    this.#count(this.#accountOf(key), milliseconds);
  }

  #count(account: Account, milliseconds: number): void {
    this.#window.work += milliseconds;
    account.used = this.#used(account) + milliseconds;
  }

  #wait(account: Account, res: ServerAnswer): Promise<Turn> {
    if (res.destroyed) throw new ClientGone();
    return new Promise((resolve, reject) => {
      const admit = () => {
        res.off('close', leave);
        resolve(this.#turn(account, account.average));
      };
      const leave = () => {
        account.waiting.splice(account.waiting.indexOf(admit), 1);
        if (account.waiting.length === 0) this.#inLine.delete(account);
        reject(new ClientGone());
      };
      res.once('close', leave);
      account.waiting.push(admit);
      this.#inLine.add(account);
      this.#admit();
    });
  }

  /** @param expected milliseconds of work, for one that waited in line */
  #turn(account: Account, expected: number | undefined): Turn {
    account.underway++;
    account.arriving++;
    let cost = 0;
    let state: 'arriving' | 'working' | 'over' = 'arriving';
    let holdsRoom = false;
    let timer: NodeJS.Timeout | undefined;
    const { average } = account;
    let isOverdue = false;
    const pass = () => {
      if (state === 'working') {
        if (this.#overdue >= MAX_OVERDUE) {
          timer = setTimeout(pass, MAX_TURN).unref();
          return;
        }
        isOverdue = true;
        this.#overdue++;
      }
      giveRoom();
      this.#admit();
    };
    const takeRoom = (milliseconds: number) => {
      if (expected === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(pass, milliseconds);
      if (milliseconds === MAX_TURN) timer.unref();
      if (holdsRoom) return;
      holdsRoom = true;
      this.#underway++;
      this.#expected += expected;
    };
    const giveRoom = () => {
      if (!holdsRoom) return;
      holdsRoom = false;
      this.#underway--;
      this.#expected = this.#underway === 0 ? 0 : this.#expected - (expected ?? 0);
    };
    const begin = () => {
      if (state !== 'arriving') return;
      state = 'working';
      account.arriving--;
      if (expected === undefined) this.#outside += average;
      takeRoom(MAX_TURN);
      // Whoever sends as much as they may had to wait for this.
      this.#admit();
    };
    const end = () => {
      if (state === 'over') return;
      if (state === 'arriving') account.arriving--;
      else if (expected === undefined) this.#outside -= average;
      state = 'over';
      clearTimeout(timer);
      giveRoom();
      if (isOverdue) this.#overdue--;
      account.underway--;
      account.average = (account.average + cost) / 2;
      const now = this.#now();
      if (expected !== undefined && cost > BRIEF && now - this.#othersAt < LATELY) {
        this.#restsUntil = Math.max(this.#restsUntil, now + Math.min(cost, MAX_REST));
      }
      this.#admit();
    };
    takeRoom(ARRIVAL);
    return {
      begin,
      spend: (milliseconds) => {
        cost += milliseconds;
        this.#count(account, milliseconds);
      },
      end,
    };
  }

  /** Lets in whoever has used least, as long as there is room. */
  #admit(): void {
    while (this.#inLine.size > 0) {
      const account = this.#next();
      if (!account) return;
      const rest = this.#restsUntil - this.#now();
      if (rest > 0 && account.used >= ALLOWANCE) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#admit();
        }, rest);
        return;
      }
      if (this.#underway > 0 && this.#expected + account.average > ROOM) return;
      const admit = account.waiting.shift() as () => void;
      if (account.waiting.length === 0) this.#inLine.delete(account);
      admit();
    }
  }

  /** Whoever has used least, what is under way included; nobody who has yet to send what they began. */
  #next(): Account | undefined {
    let least: { account: Account; used: number } | undefined;
    for (const account of this.#inLine) {
      if (account.arriving >= ABREAST) continue;
      const used = this.#used(account) + account.underway * account.average;
      if (!least || used < least.used) least = { account, used };
    }
    return least?.account;
  }

  #used(account: Account): number {
    const now = this.#now();
    account.used = Math.max(0, account.used - (now - account.at) * this.#forgotten);
    account.at = now;
    return account.used;
  }

  #accountOf(key: number | string): Account {
    const now = this.#now();
    if (now >= this.#nextSweep) this.#sweep(now);
    if (now - this.#window.from >= WINDOW) this.#look(now);
    let account = this.#accounts.get(key);
    if (!account) {
      account = {
        used: 0,
        at: now,
        seen: Number.NEGATIVE_INFINITY,
        average: UNKNOWN,
        underway: 0,
        arriving: 0,
        waiting: [],
      };
      this.#accounts.set(key, account);
    }
    if (account.seen < this.#window.from) this.#window.accounts++;
    account.seen = now;
    return account;
  }

  /** How much there was to do, and for how many, decides what is a fair share from now on. */
  #look(now: number): void {
    const { from, work, accounts } = this.#window;
    const isMuch = work / (now - from) >= MUCH;
    const present = Math.max(1, accounts, this.#inLine.size);
    this.#forgotten = isMuch ? Math.min(FORGOTTEN, FORGOTTEN_OF_ALL / present) : FORGOTTEN;
    this.#window = { from: now, work: 0, accounts: 0 };
  }

  #sweep(now: number): void {
    this.#nextSweep = now + SWEEP;
    for (const [key, account] of this.#accounts) {
      if (account.underway === 0 && account.waiting.length === 0 && this.#used(account) === 0)
        this.#accounts.delete(key);
    }
  }
}
