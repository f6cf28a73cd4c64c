import type { Services } from '../access/context.ts';
import type { DueWork } from '../operation/feature.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** One kind of work. Lanes run independently of each other. */
export interface Lane {
  readonly name: string;
  /** Time of the next run, in milliseconds. */
  nextDue(tx: Transaction): Promise<number | undefined>;
  /**
   * Runs due work; resolves to the number of completed jobs when nothing is running any more. Called again while it
   * runs, it also starts newly due work if possible, and returns the same promise.
   */
  run(): Promise<number>;
  /** Run once more when the chat closes. */
  readonly alsoAtClose?: boolean;
  /** The running work. */
  readonly underWay: Promise<number> | undefined;
}

/** Pause before a retry of due work that could not be claimed: another process may be doing it. */
const AFTER_NOTHING_MS = 1_000;

/** Delays work that is due but had nothing to do in its last run. */
export class Patience {
  #until = 0;

  /** When to run work with this due time. Work that is not due any more has been done, which ends the delay. */
  until(dueMs: number | undefined, now: number): number | undefined {
    if (dueMs === undefined || dueMs > now) this.#until = 0;
    return dueMs === undefined ? undefined : Math.max(dueMs, this.#until);
  }

  /** Call it after a run that could do nothing. */
  lose(now: number): void {
    this.#until = now + AFTER_NOTHING_MS;
  }
}

/** The lane of `DueWork` of a feature. */
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
