import { RateLimitHit } from '../lib/index.ts';
import { AccountUsage, type Usage } from './account-usage.ts';
import { ClientGone } from './body-stream.ts';
import type { ServerAnswer } from './exchange.ts';
import { Room } from './room.ts';
import { SharedTime } from './shared-time.ts';

/** Milliseconds of the server's work that an account may use before its requests wait in line. */
const ALLOWANCE = 300;
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
/** Requests of an account that wait at most. */
const MAX_WAITING = 50;
/** Milliseconds in line, at most: proxies in front mostly give up after a minute, and then nobody knows what became of it. */
const MAX_WAIT = 45_000;
/** Milliseconds. Somebody who is not in line was there lately: they get as much of the time as the line does. */
const LATELY = 1_000;
/** Milliseconds of work that need no rest after them. */
const BRIEF = 5;
/** Milliseconds of rest, at most. */
const MAX_REST = 1_000;
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

type Account = Usage<Waiting>;

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
  readonly #accounts: AccountUsage<Waiting>;
  /** Those with requests in line. */
  readonly #inLine = new Set<Account>();
  readonly #quick = new Room(QUICK_ROOM);
  /** Likewise of accounts that have used little: where much is late, they do not wait for those who made it so. */
  readonly #quickOfModest = new Room(QUICK_ROOM);
  readonly #modest = new Room(MODEST_ROOM, MODEST_OF_ONE);
  /** Of those that waited in line. */
  readonly #line = new Room(ROOM);
  #restsUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When somebody was last let in who did not wait in line. */
  #othersAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds that never go back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#time = new SharedTime(now);
    this.#accounts = new AccountUsage(now, () => this.#inLine.size);
  }

  /** Requests in line at the moment. */
  get waiting(): number {
    return [...this.#inLine].reduce((count, { waiting }) => count + waiting.length, 0);
  }

  /**
   * Lets a request of an account in, at once or when its turn has come.
   * @param kind requests of one kind cost about as much, from one account
   * @throws RateLimitHit when too many of its requests wait already, or this one has waited too long; ClientGone
   */
  enter(key: number | string, res: ServerAnswer, kind?: unknown): Turn | Promise<Turn> {
    const account = this.#accounts.of(key);
    const room =
      account.waiting.length === 0 && this.#roomFor(account, this.#accounts.expected(account, kind), this.#little());
    if (room) return this.#turn(account, kind, room);
    if (account.waiting.length >= MAX_WAITING) throw this.#refusal(account);
    return this.#wait(account, res, kind);
  }

  /** Where a request of an account may go on outside the line. */
  #roomFor(account: Account, expected: number, little: number): Room | undefined {
    if (account.underway >= ABREAST || account.overdue > 0) return undefined;
    const isModest = this.#accounts.used(account) < little;
    const quick = isModest ? this.#quickOfModest : this.#quick;
    if (expected <= QUICK && quick.hasPlaceFor(expected)) return quick;
    return isModest && this.#modest.hasPlaceFor(expected) ? this.#modest : undefined;
  }

  /** Milliseconds: less than the allowance is little, or than a quarter of what those in line have used, who slow all down. */
  #little(): number {
    let used = 0;
    for (const account of this.#inLine) used += this.#accounts.used(account);
    return Math.max(ALLOWANCE, used / Math.max(1, this.#inLine.size) / 4);
  }

  /** As that of a turn, for work that needs none of its own, since it is little. */
  beginWork(key: number | string): () => void {
    const end = this.#time.begin();
    return () => this.#accounts.spend(this.#accounts.of(key), end());
  }

  /** With the time until what the account has used is forgotten. */
  #refusal(account: Account): RateLimitHit {
    const seconds = this.#accounts.used(account) / this.#accounts.forgotten / 1_000;
    return new RateLimitHit(Math.min(60, Math.max(1, Math.ceil(seconds))));
  }

  #wait(account: Account, res: ServerAnswer, kind: unknown): Promise<Turn> {
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
      const tooLong = setTimeout(() => leave(this.#refusal(account)), MAX_WAIT).unref();
      res.once('close', gone);
      account.waiting.push(waiting);
      this.#inLine.add(account);
      this.#admit();
    });
  }

  #turn(account: Account, kind: unknown, room: Room): Turn {
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
      this.#accounts.learn(account, kind, cost);
      const now = this.#now();
      if (room === this.#line && cost > BRIEF && now - this.#othersAt < LATELY) {
        this.#restsUntil = Math.max(this.#restsUntil, now + Math.min(cost, MAX_REST));
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
      const expected = this.#accounts.expected(account, account.waiting[0]?.kind);
      const room = this.#roomFor(account, expected, little);
      if (least?.room && !room) continue;
      const used = this.#accounts.used(account) + account.underway * account.average;
      if (!least || (room && !least.room) || used < least.used) least = { account, expected, room, used };
    }
    return least;
  }
}
