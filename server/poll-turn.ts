import type { CallTurn } from '../lib/internal.ts';
import type { ServerAnswer } from './exchange.ts';
import type { FairQueue, Turn } from './fair-queue.ts';

/** A long poll's: whoever asks for what is new has little to do, and waits in line only where there is much of it. */
export class PollTurn implements Turn, CallTurn {
  #turn: Turn | undefined;

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

  /** Until it is taken anew. */
  end(): void {
    this.#turn?.end();
    this.#turn = undefined;
  }

  beginWork(): () => void {
    return this.#turn ? this.#turn.beginWork() : this.queue.beginWork(this.userId);
  }

  /** Nothing is counted of one that was not taken. */
  spend(milliseconds: number): void {
    this.#turn?.spend(milliseconds);
  }
}
