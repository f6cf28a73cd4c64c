import { RateLimitHit, ServiceUnavailable } from '../../kernel/errors.ts';

/** Waiting requests, per account and in total. Further requests are refused. */
const MAX_OF_ONE = 100;
const MAX_IN_ALL = 1000;
/** Seconds until the client may retry. */
const RETRY_AFTER = 5;

/** The account whose requests are counted together; null for all callers without an account. */
export type PictureAsker = number | null;

/** A queue for work on images, one at a time. Accounts take turns, however many requests each has. */
export class PictureTurns {
  /** In the order of turns. */
  readonly #waiting = new Map<PictureAsker, (() => Promise<void>)[]>();
  #count = 0;
  #isWorking = false;

  /** Queues the work. @throws RateLimitHit if too many requests of the account wait, ServiceUnavailable */
  run<T>(asker: PictureAsker, work: () => Promise<T>): Promise<T> {
    if ((this.#waiting.get(asker)?.length ?? 0) >= MAX_OF_ONE) throw new RateLimitHit(RETRY_AFTER);
    if (this.#count >= MAX_IN_ALL) {
      throw new ServiceUnavailable('Too many images are being processed.', RETRY_AFTER);
    }
    return this.runWhateverWaits(asker, work);
  }

  /** Like run() without limits, for work that the client cannot retry. */
  runWhateverWaits<T>(asker: PictureAsker, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(asker) ?? [];
      this.#waiting.set(asker, own);
      own.push(() => work().then(resolve, reject));
      this.#count++;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let next = this.#next(); next; next = this.#next()) await next();
    this.#isWorking = false;
  }

  #next(): (() => Promise<void>) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [asker, own] = first;
    const next = own.shift();
    this.#waiting.delete(asker);
    if (own.length > 0) this.#waiting.set(asker, own);
    this.#count--;
    return next;
  }
}
