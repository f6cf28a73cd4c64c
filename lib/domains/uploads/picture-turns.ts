import { RateLimitHit, ServiceUnavailable } from '../../kernel/errors.ts';

/** Who comes when so many are waiting is told to come again: of one account, and of all. */
const MAX_OF_ONE = 100;
const MAX_IN_ALL = 1000;
/** Seconds after which to come again. */
const RETRY_AFTER = 5;

/** By which whoever waits is counted: the account; null for all who have none. */
export type PictureAsker = number | null;

/** Work on pictures, one at a time. Accounts have their turns one after the other, however many wait for each of them. */
export class PictureTurns {
  /** Whose turn is next comes first. */
  readonly #waiting = new Map<PictureAsker, (() => Promise<void>)[]>();
  #count = 0;
  #isWorking = false;

  /** Does it when its turn has come. @throws RateLimitHit where too many of the account wait, ServiceUnavailable */
  run<T>(asker: PictureAsker, work: () => Promise<T>): Promise<T> {
    if ((this.#waiting.get(asker)?.length ?? 0) >= MAX_OF_ONE) throw new RateLimitHit(RETRY_AFTER);
    if (this.#count >= MAX_IN_ALL) {
      throw new ServiceUnavailable('Too many pictures are being worked on.', RETRY_AFTER);
    }
    return this.runWhateverWaits(asker, work);
  }

  /** Likewise of what cannot be asked for again: it waits as long as it has to. */
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
