import type { Services } from '../kernel/context.ts';
import type { DueWork } from '../kernel/due-work.ts';
import type { OutboxKind } from '../kernel/outbox.ts';
import { outboxOf } from './outbox.ts';

/** Never sleeps longer than this: another process's clock or change may have been missed. */
const LONGEST_SLEEP_MS = 60_000;
/** Something failed that should not have; look again soon, not at once. */
const AFTER_FAILURE_MS = 5_000;

/** One background worker a process: sleeps until the next thing is due, or is driven by hand. */
export class Worker {
  #started = false;
  #stopping = false;
  #running: Promise<number> | undefined;
  #cancel: (() => void) | undefined;
  #rearmRequested = false;

  readonly #work: readonly DueWork[];

  constructor(
    private readonly services: Services,
    work: readonly DueWork[],
    outboxKinds: readonly OutboxKind[],
  ) {
    this.#work = [outboxOf(outboxKinds), ...work];
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#stopping = false;
    this.rearm();
  }

  /** Stops sleeping and waits for what is being done. */
  async stop(): Promise<void> {
    this.#started = false;
    this.#stopping = true;
    this.#cancel?.();
    await this.#running?.catch(() => undefined);
  }

  /** Something may be due earlier than thought. */
  rearm(): void {
    if (!this.#started) return;
    if (this.#running) {
      this.#rearmRequested = true;
      return;
    }
    this.#cancel?.();
    this.#cancel = this.services.clock.after(0, () => void this.#tick());
  }

  /** Does everything due at this moment of the clock; returns how many things it did. */
  async runDue(): Promise<number> {
    if (this.#running) await this.#running.catch(() => undefined);
    const pass = this.#pass();
    this.#running = pass;
    try {
      return await pass;
    } finally {
      if (this.#running === pass) this.#running = undefined;
    }
  }

  async #pass(): Promise<number> {
    let done = 0;
    const isStopping = () => this.#stopping;
    for (const work of this.#work) done += await work.run(this.services, isStopping);
    return done;
  }

  async #tick(): Promise<void> {
    let sleep = LONGEST_SLEEP_MS;
    this.#rearmRequested = false;
    try {
      await this.runDue();
      if (!this.#started) return;
      const due = await this.services.storage.read(async (tx) => {
        const times: number[] = [];
        for (const work of this.#work) {
          const next = await work.nextDue(tx);
          if (next !== undefined) times.push(next);
        }
        return Math.min(...times);
      });
      sleep = Math.min(LONGEST_SLEEP_MS, Math.max(1, due - this.services.clock.now()));
    } catch (error) {
      this.services.logger.error({ error }, 'background work failed');
      sleep = AFTER_FAILURE_MS;
    }
    if (!this.#started) return;
    if (this.#rearmRequested) sleep = 0;
    this.#cancel = this.services.clock.after(sleep, () => void this.#tick());
  }
}
