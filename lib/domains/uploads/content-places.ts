import { RateLimitHit } from '../../kernel/errors.ts';

/** Of one account at a time, and of all. */
const MAX_OF_ONE = 4;
const MAX_IN_ALL = 32;
/** Of one account that wait at most, as far as so many wait in all; of any others, one of each account. */
const MAX_WAITING_OF_ONE = 50;
const MAX_WAITING_IN_ALL = 500;
/** Seconds after which to come again. */
const RETRY_AFTER = 5;
/** Milliseconds for which a content keeps its place, whoever waits. */
const TURN_MS = 60_000;
/** Milliseconds that whoever was asked to give way has for it before they are asked again. */
const ASKED_AGAIN_MS = 1_000;

type Account = number | null;

interface Place {
  readonly account: Account;
  readonly since: number;
  readonly giveWay: () => void;
}

interface Waiting {
  readonly account: Account;
  begin(): void;
}

/** Contents that are in memory, whole or in part, while they arrive: so many of one account at a time, and of all. */
export class ContentPlaces {
  /** Whoever has been there for longest comes first. */
  readonly #taken = new Set<Place>();
  readonly #byAccount = new Map<Account, number>();
  readonly #waiting = new Set<Waiting>();
  readonly #turnMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs;
  }

  isFullFor(account: Account): boolean {
    return (this.#byAccount.get(account) ?? 0) >= MAX_OF_ONE;
  }

  /** Returns what makes the place free again; undefined where there is none. */
  take(account: Account, giveWay = () => {}): (() => void) | undefined {
    if (this.isFullFor(account) || this.#taken.size >= MAX_IN_ALL) return undefined;
    const place = { account, since: performance.now(), giveWay };
    this.#taken.add(place);
    this.#byAccount.set(account, (this.#byAccount.get(account) ?? 0) + 1);
    return () => {
      if (this.#taken.delete(place)) this.#leave(account);
    };
  }

  /**
   * Likewise when there is a place.
   * @param giveWay called where all are taken and others wait, once it has had its turn
   * @throws RateLimitHit where too many of the account wait
   */
  async wait(account: Account, giveWay: () => void): Promise<() => void> {
    const own = [...this.#waiting].filter((waiting) => waiting.account === account).length;
    if (own >= (this.#waiting.size < MAX_WAITING_IN_ALL ? MAX_WAITING_OF_ONE : 1)) throw new RateLimitHit(RETRY_AFTER);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        account,
        begin: () => {
          const leave = this.take(account, giveWay);
          if (!leave) return;
          this.#waiting.delete(waiting);
          resolve(leave);
        },
      };
      this.#waiting.add(waiting);
      waiting.begin();
      this.#makeRoom();
    });
  }

  #leave(account: Account): void {
    const left = (this.#byAccount.get(account) ?? 0) - 1;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
    for (const waiting of this.#waiting) {
      if (this.#taken.size >= MAX_IN_ALL) break;
      waiting.begin();
    }
    this.#makeRoom();
  }

  /** Somebody who never ends would keep others out for ever. */
  #makeRoom(): void {
    const isWaitedFor = [...this.#waiting].some(({ account }) => !this.isFullFor(account));
    const [oldest] = this.#taken;
    if (!oldest || !isWaitedFor || this.#timer) return;
    const left = oldest.since + this.#turnMs - performance.now();
    if (left <= 0) oldest.giveWay();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#makeRoom();
      },
      left > 0 ? left : ASKED_AGAIN_MS,
    ).unref();
  }
}
