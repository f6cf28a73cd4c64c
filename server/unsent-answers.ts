import { RateLimitHit } from '../lib/index.ts';
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

/** A large answer that has not been read yet. */
interface Unsent {
  readonly res: ServerAnswer;
  readonly bytes: number;
}

/** What one caller has left unread. */
interface Backlog {
  readonly answers: Set<Unsent>;
  bytes: number;
}

/**
 * Large answers that have not been read yet: somebody who never reads them must not fill the memory, nor take the room
 * of those who do. Where there is none left, answers to whoever has left most unread are cut off, the oldest first.
 */
export class UnsentAnswers {
  readonly #byCaller = new Map<number | string, Backlog>();
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
   * @throws RateLimitHit where the caller has left too much unread, or all have and nobody more than they
   */
  add(res: ServerAnswer, caller: number | string, bytes: number): void {
    const own = this.#byCaller.get(caller)?.bytes ?? 0;
    if (own > 0 && own + bytes > MAX_OF_ONE) throw new RateLimitHit(RETRY_AFTER);
    while (this.#total > 0 && this.#total + bytes > MAX_IN_ALL) this.#cutOff(own);
    const backlog = this.#byCaller.get(caller) ?? { answers: new Set(), bytes: 0 };
    this.#byCaller.set(caller, backlog);
    const unsent = { res, bytes };
    backlog.answers.add(unsent);
    backlog.bytes += bytes;
    this.#total += bytes;
    res.once('close', () => this.#forget(caller, unsent));
    res.setTimeout(this.#patience, () => res.destroy());
  }

  /** @param own bytes that the caller has left unread for whom it is done: who has left no more loses nothing to them */
  #cutOff(own: number): void {
    const [caller, most] = [...this.#byCaller].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
    if (most.bytes <= own) throw new RateLimitHit(RETRY_AFTER);
    const [oldest] = most.answers as Iterable<Unsent>;
    if (!oldest) throw new Error('Whoever has left bytes unread has an answer that has not been read.');
    this.#forget(caller, oldest);
    oldest.res.destroy();
  }

  #forget(caller: number | string, unsent: Unsent): void {
    const backlog = this.#byCaller.get(caller);
    if (!backlog?.answers.delete(unsent)) return;
    this.#total -= unsent.bytes;
    backlog.bytes -= unsent.bytes;
    if (backlog.answers.size === 0) this.#byCaller.delete(caller);
  }
}
