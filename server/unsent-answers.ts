import { RateLimitHit } from '../lib/index.ts';
import { ServiceUnavailable } from '../lib/internal.ts';
import type { ServerAnswer } from './exchange.ts';

/** Bytes: what is shorter is in the buffers of the system as soon as it is answered. */
export const LARGE = 256 * 1024;

/** Bytes that one caller may leave unread, unless it is a single answer. */
const MAX_OF_ONE = 48 * 1024 * 1024;
/** Bytes that all of them may. */
const MAX_IN_ALL = 512 * 1024 * 1024;
/** Milliseconds in which nothing of an answer is taken. */
const PATIENCE = 30_000;
/** Seconds after which to ask again. */
const RETRY_AFTER = 5;

/** Large answers that have not been read yet: somebody who never reads them must not fill the memory. */
export class UnsentAnswers {
  readonly #byCaller = new Map<number | string, number>();
  readonly #patience: number;
  #total = 0;

  constructor(patience = PATIENCE) {
    this.#patience = patience;
  }

  /** Bytes that have not been read. */
  get total(): number {
    return this.#total;
  }

  /**
   * Counts an answer until it has been read, and cuts its connection when nothing more of it is taken.
   * @throws RateLimitHit where the caller has left too much unread, ServiceUnavailable where all together have
   */
  add(res: ServerAnswer, caller: number | string, bytes: number): void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own > 0 && own + bytes > MAX_OF_ONE) throw new RateLimitHit(RETRY_AFTER);
    if (this.#total > 0 && this.#total + bytes > MAX_IN_ALL) {
      throw new ServiceUnavailable('Too many large answers are on their way; ask again.', RETRY_AFTER);
    }
    this.#byCaller.set(caller, own + bytes);
    this.#total += bytes;
    res.once('close', () => this.#forget(caller, bytes));
    res.setTimeout(this.#patience, () => res.destroy());
  }

  #forget(caller: number | string, bytes: number): void {
    this.#total -= bytes;
    const left = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
  }
}
