import { RateLimitHit } from '../lib/index.ts';
import { ClientGone } from './body-stream.ts';
import type { ServerAnswer } from './exchange.ts';
import { Room } from './room.ts';
import { SharedTime } from './shared-time.ts';

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
/** Milliseconds of work: a request that is expected to take no more need not wait for those that take long. */
const QUICK = 20;
/** Milliseconds of work that quick ones may have under way together, as far as it is known beforehand. */
const QUICK_ROOM = 100;
/** Likewise of others by accounts that have used little, and what one of them takes at most: so four go on together. */
const MODEST_ROOM = 100;
const MODEST_OF_ONE = 25;
/** Requests that an account may have under way at once outside the line. */
const ABREAST = 2;
/** Milliseconds of work that those in line may have under way together, as far as it is known beforehand. */
const ROOM = 25;
/** Milliseconds of work taken for granted of whoever has done nothing yet. */
const UNKNOWN = 10;
/** Requests of an account that wait at most. */
const MAX_WAITING = 50;
/** Milliseconds. Somebody who is not in line was there lately: they get as much of the time as the line does. */
const LATELY = 1_000;
/** Milliseconds of work that need no rest after them. */
const BRIEF = 5;
/** Milliseconds of rest, at most. */
const MAX_REST = 1_000;
/** Milliseconds between two looks for accounts that need not be remembered any more. */
const SWEEP = 60_000;

/** A request that is let in: what it costs is counted, and it makes room when it has ended. */
export interface Turn {
  /** All of it is there: what comes now is work. */
  begin(): void;
  /** Milliseconds of work done for it while nothing else was. */
  spend(milliseconds: number): void;
  /** Work is done for it beside that of others until what this returns is called. */
  beginWork(): () => void;
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
  /** What a request of theirs costs, lately, and what one of each kind does. */
  average: number;
  readonly averages: Map<unknown, number>;
  underway: number;
  /** Of these, how many have taken longer than a turn. */
  overdue: number;
  /** Likewise, how many are not there as a whole: bodies take memory, and may take as long as their senders like. */
  arriving: number;
  /** In line. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly kind: unknown;
  admit(room: Room): void;
}

interface Next {
  account: Account;
  expected: number;
  /** Where it need not wait. */
  room: Room | undefined;
  used: number;
}

/**
 * Lets requests in so that somebody who costs much keeps nobody waiting but themselves. An account that uses little is
 * let in at once, and so is a request that takes little, as far as is known of its kind. Others, and those of an account
 * that has several under way, wait in line, where whoever has used least comes first and little is under way at a time;
 * what they cost is measured, so many cheap ones go on side by side. While others are there, the line rests as long as
 * it works.
 */
export class FairQueue {
  readonly #now: () => number;
  readonly #time: SharedTime;
  readonly #accounts = new Map<number | string, Account>();
  /** Those with requests in line. */
  readonly #inLine = new Set<Account>();
  /** What a request of each kind costs, whoever makes it. */
  readonly #averages = new Map<unknown, number>();
  readonly #quick = new Room(QUICK_ROOM);
  readonly #modest = new Room(MODEST_ROOM, MODEST_OF_ONE);
  /** Of those that waited in line. */
  readonly #line = new Room(ROOM);
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
    this.#time = new SharedTime(now);
  }

  /** Requests in line at the moment. */
  get waiting(): number {
    return [...this.#inLine].reduce((count, { waiting }) => count + waiting.length, 0);
  }

  /**
   * Lets a request of an account in, at once or when its turn has come.
   * @param kind requests of one kind cost about as much, from one account
   * @throws RateLimitHit when too many of its requests wait already, ClientGone
   */
  enter(key: number | string, res: ServerAnswer, kind?: unknown): Turn | Promise<Turn> {
    const account = this.#accountOf(key);
    const room = account.waiting.length === 0 && this.#roomFor(account, this.#costOf(account, kind), this.#little());
    if (room) return this.#turn(account, kind, room);
    if (account.waiting.length >= MAX_WAITING) {
      throw new RateLimitHit(Math.min(60, Math.max(1, Math.ceil(account.used / this.#forgotten / 1_000))));
    }
    return this.#wait(account, res, kind);
  }

  /** Where a request of an account may go on outside the line. */
  #roomFor(account: Account, expected: number, little: number): Room | undefined {
    if (account.underway >= ABREAST || account.overdue > 0) return undefined;
    if (expected <= QUICK && this.#quick.hasPlaceFor(expected)) return this.#quick;
    return this.#used(account) < little && this.#modest.hasPlaceFor(expected) ? this.#modest : undefined;
  }

  /** Milliseconds: less than the allowance is little, or than half of what those in line have used, who slow all down. */
  #little(): number {
    let used = 0;
    for (const account of this.#inLine) used += this.#used(account);
    return Math.max(ALLOWANCE, used / Math.max(1, this.#inLine.size) / 2);
  }

  /** As that of a turn, for work that needs none of its own, since it is little. */
  beginWork(key: number | string): () => void {
    const end = this.#time.begin();
    return () => this.#count(this.#accountOf(key), end());
  }

  #count(account: Account, milliseconds: number): void {
    this.#window.work += milliseconds;
    account.used = this.#used(account) + milliseconds;
  }

  #wait(account: Account, res: ServerAnswer, kind: unknown): Promise<Turn> {
    if (res.destroyed) throw new ClientGone();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        kind,
        admit: (room) => {
          res.off('close', leave);
          resolve(this.#turn(account, kind, room));
        },
      };
      const leave = () => {
        account.waiting.splice(account.waiting.indexOf(waiting), 1);
        if (account.waiting.length === 0) this.#inLine.delete(account);
        reject(new ClientGone());
      };
      res.once('close', leave);
      account.waiting.push(waiting);
      this.#inLine.add(account);
      this.#admit();
    });
  }

  #turn(account: Account, kind: unknown, room: Room): Turn {
    if (room !== this.#line) this.#othersAt = this.#now();
    const expected = this.#costOf(account, kind);
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
      // Whoever sends as much as they may had to wait for this.
      this.#admit();
    };
    const end = () => {
      if (state === 'over') return;
      if (state === 'arriving') account.arriving--;
      state = 'over';
      if (place.isOverdue) account.overdue--;
      place.leave();
      account.underway--;
      account.averages.set(kind, (expected + cost) / 2);
      const ofAll = this.#averages.get(kind) ?? cost;
      this.#averages.set(kind, ofAll + (cost - ofAll) / 8);
      account.average = (account.average + cost) / 2;
      const now = this.#now();
      if (room === this.#line && cost > BRIEF && now - this.#othersAt < LATELY) {
        this.#restsUntil = Math.max(this.#restsUntil, now + Math.min(cost, MAX_REST));
      }
      this.#admit();
    };
    const spend = (milliseconds: number) => {
      cost += milliseconds;
      this.#count(account, milliseconds);
    };
    const beginWork = () => {
      const endWork = this.#time.begin();
      return () => spend(endWork());
    };
    return { begin, spend, beginWork, end };
  }

  /** Lets in whoever has used least, as long as there is room. */
  #admit(): void {
    while (this.#inLine.size > 0) {
      const next = this.#next();
      if (!next) return;
      const { account, expected, room } = next;
      if (!room) {
        const rest = this.#restsUntil - this.#now();
        if (rest > 0 && account.used >= ALLOWANCE) {
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

  /** Of those who need not wait any more, or else of all, whoever has used least; nobody who has yet to send what they began. */
  #next(): Next | undefined {
    const little = this.#little();
    let least: Next | undefined;
    for (const account of this.#inLine) {
      if (account.arriving >= ABREAST) continue;
      const expected = this.#costOf(account, account.waiting[0]?.kind);
      const room = this.#roomFor(account, expected, little);
      if (least?.room && !room) continue;
      const used = this.#used(account) + account.underway * account.average;
      if (!least || (room && !least.room) || used < least.used) least = { account, expected, room, used };
    }
    return least;
  }

  /** Milliseconds of work that a request is expected to take: of what an account has not asked for, as others know it. */
  #costOf({ average, averages }: Account, kind: unknown): number {
    return averages.get(kind) ?? this.#averages.get(kind) ?? average;
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
        averages: new Map(),
        underway: 0,
        overdue: 0,
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
