import { eventLog } from '../domains/events/queues/event-log.ts';
import type { Engine } from '../kernel/engine.ts';
import type { Transaction } from '../storage/storage.ts';
import { outbox } from './outbox.ts';

/** A kind of work that falls due. */
export interface DueWork {
  name: string;
  /** When work is due next, milliseconds; undefined when there is none. */
  nextDue(tx: Transaction): Promise<number | undefined>;
  /** Does what is due now; returns how many things it did. */
  run(engine: Engine): Promise<number>;
}

const KINDS: readonly DueWork[] = [outbox, eventLog];

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

  constructor(private readonly engine: Engine) {}

  /** Whoever closes must not wait for everything that is due, only for what is under way. */
  get isStopping(): boolean {
    return this.#stopping;
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
    this.#cancel = this.engine.clock.after(0, () => void this.#tick());
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
    for (const kind of KINDS) done += await kind.run(this.engine);
    return done;
  }

  async #tick(): Promise<void> {
    let sleep = LONGEST_SLEEP_MS;
    this.#rearmRequested = false;
    try {
      await this.runDue();
      if (!this.#started) return;
      const due = await this.engine.storage.read(async (tx) => {
        const times: number[] = [];
        for (const kind of KINDS) {
          const next = await kind.nextDue(tx);
          if (next !== undefined) times.push(next);
        }
        return Math.min(...times);
      });
      sleep = Math.min(LONGEST_SLEEP_MS, Math.max(1, due - this.engine.clock.now()));
    } catch (error) {
      this.engine.logger.error({ error }, 'background work failed');
      sleep = AFTER_FAILURE_MS;
    }
    if (!this.#started) return;
    if (this.#rearmRequested) sleep = 0;
    this.#cancel = this.engine.clock.after(sleep, () => void this.#tick());
  }
}
