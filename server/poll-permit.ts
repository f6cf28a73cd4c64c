import type { CallPermit } from '../lib/internal.ts';
import type { ServerAnswer } from './exchange.ts';
import type { FairQueue, Permit } from './fair-queue.ts';

/** The turn of a long poll. A poll does little work, so it queues only before an expensive step. */
export class PollPermit implements Permit, CallPermit {
  #turn: Permit | undefined;

  constructor(
    private readonly queue: FairQueue,
    private readonly userId: number,
    private readonly res: ServerAnswer,
    private readonly kind: object,
  ) {}

  async take(): Promise<void> {
    if (this.#turn) return;
    this.#turn = await this.queue.enter(this.userId, this.res, this.kind);
    this.#turn.begin();
  }

  begin(): void {
    this.#turn?.begin();
  }

  /** Ends the turn. `take` begins a new turn. */
  end(): void {
    this.#turn?.end();
    this.#turn = undefined;
  }

  beginWork(): () => void {
    return this.#turn ? this.#turn.beginWork() : this.queue.beginWork(this.userId);
  }

  /** Counts nothing without a turn. */
  spend(milliseconds: number): void {
    this.#turn?.spend(milliseconds);
  }
}
