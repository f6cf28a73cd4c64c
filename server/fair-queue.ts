import type { ServerResponse } from 'node:http';
import { RateLimitHit } from '../lib/index.ts';
import { ClientGone } from './body-stream.ts';

/** Milliseconds of the server's work that an account may use before its requests wait in line. */
const ALLOWANCE = 300;
/** Of each millisecond that goes by, how much of what it has used is forgotten. */
const FORGOTTEN = 0.1;
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
/** Milliseconds after which the next has its turn, whatever the one before it waits for: a slow body, a slow disk. */
const MAX_TURN = 1_000;
/** Milliseconds. Somebody who is not in line was there lately: they get as much of the time as the line does. */
const LATELY = 1_000;
/** Milliseconds of work that need no rest after them. */
const BRIEF = 5;
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
  /** Milliseconds of work that these are expected to take. */
  #expected = 0;
  /** Likewise of those that did not wait. */
  #outside = 0;
  #restsUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When somebody was last let in who did not wait in line. */
  #othersAt = Number.NEGATIVE_INFINITY;
  #nextSweep = 0;

  /** @param now milliseconds that never go back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Lets a request of an account in, at once or when its turn has come.
   * @throws RateLimitHit when too many of its requests wait already, ClientGone
   */
  enter(key: number | string, res: ServerResponse): Turn | Promise<Turn> {
    const account = this.#accountOf(key);
    const isModest = account.underway < ABREAST && this.#used(account) < ALLOWANCE;
    if (isModest && account.waiting.length === 0 && this.#outside + account.average <= OUTSIDE) {
      this.#othersAt = this.#now();
      return this.#turn(account, undefined);
    }
    if (account.waiting.length >= MAX_WAITING) {
      throw new RateLimitHit(Math.min(60, Math.max(1, Math.ceil(account.used / FORGOTTEN / 1_000))));
    }
    return this.#wait(account, res);
  }

  #wait(account: Account, res: ServerResponse): Promise<Turn> {
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
    if (expected === undefined) this.#outside += average;
    const takeRoom = (milliseconds: number) => {
      if (expected === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        giveRoom();
        this.#admit();
      }, milliseconds);
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
      takeRoom(MAX_TURN);
      // Whoever sends as much as they may had to wait for this.
      this.#admit();
    };
    const end = () => {
      if (state === 'over') return;
      if (state === 'arriving') account.arriving--;
      state = 'over';
      clearTimeout(timer);
      giveRoom();
      account.underway--;
      if (expected === undefined) this.#outside -= average;
      account.average = (account.average + cost) / 2;
      const now = this.#now();
      if (expected !== undefined && cost > BRIEF && now - this.#othersAt < LATELY) {
        this.#restsUntil = Math.max(this.#restsUntil, now + cost);
      }
      this.#admit();
    };
    takeRoom(ARRIVAL);
    return {
      begin,
      spend: (milliseconds) => {
        cost += milliseconds;
        account.used = this.#used(account) + milliseconds;
      },
      end,
    };
  }

  /** Lets in whoever has used least, as long as there is room. */
  #admit(): void {
    while (this.#inLine.size > 0) {
      const rest = this.#restsUntil - this.#now();
      if (rest > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#admit();
        }, rest);
        return;
      }
      const account = this.#next();
      if (!account) return;
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
    account.used = Math.max(0, account.used - (now - account.at) * FORGOTTEN);
    account.at = now;
    return account.used;
  }

  #accountOf(key: number | string): Account {
    const now = this.#now();
    if (now >= this.#nextSweep) this.#sweep(now);
    let account = this.#accounts.get(key);
    if (!account) {
      account = { used: 0, at: now, average: UNKNOWN, underway: 0, arriving: 0, waiting: [] };
      this.#accounts.set(key, account);
    }
    return account;
  }

  #sweep(now: number): void {
    this.#nextSweep = now + SWEEP;
    for (const [key, account] of this.#accounts) {
      if (account.underway === 0 && account.waiting.length === 0 && this.#used(account) === 0)
        this.#accounts.delete(key);
    }
  }
}
