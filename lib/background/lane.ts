import type { Services } from '../kernel/context.ts';
import type { DueWork } from '../kernel/due-work.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** One kind of work, driven by the worker beside the others: none waits for another. */
export interface Lane {
  readonly name: string;
  /** When it wants to be run next, milliseconds. */
  nextDue(tx: Transaction): Promise<number | undefined>;
  /**
   * Does what is due; resolves with the number of things done when nothing is under way any more. Asked again
   * meanwhile, it takes up what has come due since, if it can, and answers with the same promise.
   */
  run(): Promise<number>;
  /** To be run once more when the chat closes. */
  readonly alsoAtClose?: boolean;
  /** What is under way. */
  readonly underWay: Promise<number> | undefined;
}

/** What was due and could not be done is tried again after this time: another process may be about to do it. */
const AFTER_NOTHING_MS = 1_000;

/** Puts off work that is due, and yet there was nothing to do when it was run. */
export class Patience {
  #until = 0;

  /** When to run work that is due at a time. Not being due any more, it has been done. */
  until(dueMs: number | undefined, now: number): number | undefined {
    if (dueMs === undefined || dueMs > now) this.#until = 0;
    return dueMs === undefined ? undefined : Math.max(dueMs, this.#until);
  }

  /** To be called when the work was run and nothing could be done. */
  lose(now: number): void {
    this.#until = now + AFTER_NOTHING_MS;
  }
}

/** The lane of work that a feature registered. */
export class DueWorkLane implements Lane {
  underWay: Promise<number> | undefined;
  readonly #patience = new Patience();

  constructor(
    private readonly services: Services,
    private readonly work: DueWork,
    private readonly isStopping: () => boolean,
  ) {}

  get name(): string {
    return this.work.name;
  }

  get alsoAtClose(): boolean {
    return this.work.alsoAtClose === true;
  }

  async nextDue(tx: Transaction): Promise<number | undefined> {
    if (this.underWay) return undefined;
    return this.#patience.until(await this.work.nextDue(tx, this.services), this.services.clock.now());
  }

  run(): Promise<number> {
    this.underWay ??= this.#run().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  async #run(): Promise<number> {
    const done = await this.work.run(this.services, this.isStopping);
    if (done === 0) this.#patience.lose(this.services.clock.now());
    return done;
  }
}
