import { RateLimitHit, ServiceUnavailable } from '../../kernel/errors.ts';

/** Waiting requests, per account and in total. Further requests are refused. */
const MAX_WAITING_PER_ACCOUNT = 100;
const MAX_WAITING = 1000;
/** Seconds until the client may retry. */
const RETRY_AFTER_S = 5;

/** The account whose requests are counted together; null for all callers without an account. */
export type PictureOwner = number | null;

/** A queue for work on images, one at a time. Accounts take turns, however many requests each has. */
export class PictureQueue {
  /** In the order of turns. */
  readonly #waiting = new Map<PictureOwner, (() => Promise<void>)[]>();
  #count = 0;
  #isWorking = false;

  /** Queues the work. @throws RateLimitHit if too many requests of the account wait, ServiceUnavailable */
  run<T>(asker: PictureOwner, work: () => Promise<T>): Promise<T> {
    if ((this.#waiting.get(asker)?.length ?? 0) >= MAX_WAITING_PER_ACCOUNT) throw new RateLimitHit(RETRY_AFTER_S);
    if (this.#count >= MAX_WAITING) {
      throw new ServiceUnavailable('Too many images are being processed.', RETRY_AFTER_S);
    }
    return this.runWhateverWaits(asker, work);
  }

  /** Like run() without limits, for work that the client cannot retry. */
  runWhateverWaits<T>(asker: PictureOwner, work: () => Promise<T>): Promise<T> {
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
