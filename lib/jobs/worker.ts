import { allInOrder } from '../base/lists.ts';
import type { DueWork, OutboxKind } from '../operation/feature.ts';
import type { Services } from '../viewer/context.ts';
import { givenUpItems, OutboxLane } from './outbox.ts';

/** Longest sleep: a change of another process may have been missed. */
const MAX_SLEEP_MS = 60_000;
const CHECK_INTERVAL_MS = 100;
const FAILURE_PAUSE_MS = 5_000;
/** Pause of due work that had nothing to do: another process may be doing it. */
const IDLE_PAUSE_MS = 1_000;

/**
 * The background worker: one loop per process, or manual runs with `runDue`. Each kind of work is a lane. Lanes run
 * independently of each other.
 *
 * looking (one read transaction; due lanes start) -> pausing -> sleeping until the next is due -> looking. `rearm` ends
 * the sleep. While looking or pausing, it sets #isDirty, which skips the sleep.
 */
export class Worker {
  readonly #lanes: readonly DueWork[];
  readonly #running = new Map<DueWork, Promise<number>>();
  /** A lane that failed, or found no work, rests until this time. */
  readonly #resting = new Map<DueWork, number>();
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #isDirty = false;
  #looksFail = false;
  #isPausing = false;
  #endWait: (() => void) | undefined;

  constructor(
    private readonly services: Services,
    work: readonly DueWork[],
    outboxKinds: readonly OutboxKind[],
  ) {
    const rearm = () => this.rearm();
    this.#lanes = [...outboxKinds.map((kind) => new OutboxLane(services, kind, rearm)), givenUpItems, ...work];
  }

  /** `failing`: it runs, but cannot read what is due. */
  get state(): 'stopped' | 'running' | 'failing' {
    if (!this.#loop || this.#isStopping) return 'stopped';
    return this.#looksFail ? 'failing' : 'running';
  }

  start(): void {
    this.#isStopping = false;
    this.#loop ??= this.#run();
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Time of the next work in milliseconds, without housekeeping. undefined if there is none. */
  nextDue(): Promise<number | undefined> {
    return this.services.storage.read(async (tx) => {
      let next: number | undefined;
      for (const lane of this.#lanes) {
        const at = lane.isHousekeeping ? undefined : await lane.nextDue(tx, this.services);
        if (at !== undefined) next = Math.min(next ?? at, at);
      }
      return next;
    });
  }

  /** Starts no more work and waits for running work. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endWait?.();
    await this.#loop;
    this.#loop = undefined;
    await Promise.allSettled(this.#running.values());
    for (const lane of this.#lanes) {
      if (!lane.alsoAtClose) continue;
      await this.#start(lane).catch((error: unknown) => {
        this.services.logger.error({ error }, `background work failed at the close: ${lane.name}`);
      });
    }
  }

  /** Work may be due earlier than expected. */
  rearm(): void {
    this.#isDirty = true;
    if (!this.#isPausing) this.#endWait?.();
  }

  /** Runs all work due at the current time; returns the number of completed jobs. */
  async runDue(): Promise<number> {
    await Promise.allSettled(this.#running.values());
    let done = 0;
    for (;;) {
      const due = (await this.#look()).filter(({ at }) => at <= this.services.clock.now());
      const counts = await allInOrder(due.map(({ lane }) => this.#start(lane)));
      const count = counts.reduce((sum, each) => sum + each, 0);
      if (count === 0) return done;
      done += count;
    }
  }

  /** `runDue` may find a lane that another call, or the loop, has started since it looked. */
  #start(lane: DueWork): Promise<number> {
    const started = this.#running.get(lane);
    if (started) {
      lane.startMore?.();
      return started;
    }
    const running = lane.run(this.services, () => this.#isStopping).finally(() => this.#running.delete(lane));
    this.#running.set(lane, running);
    return running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isDirty = false;
      let pause = CHECK_INTERVAL_MS;
      let next = this.services.clock.now() + MAX_SLEEP_MS;
      try {
        next = Math.min(next, this.#begin(await this.#look()));
        this.#looksFail = false;
      } catch (error) {
        this.#looksFail = true;
        this.services.logger.error({ error }, 'reading the due background work failed');
        pause = FAILURE_PAUSE_MS;
      }
      this.#isPausing = true;
      await this.#waitUntil(this.services.clock.now() + pause);
      this.#isPausing = false;
      if (!this.#isDirty) await this.#waitUntil(next);
    }
  }

  /** Reads from the database when each lane is due. */
  #look(): Promise<{ lane: DueWork; at: number }[]> {
    return this.services.storage.read(async (tx) => {
      const times: { lane: DueWork; at: number }[] = [];
      for (const lane of this.#lanes) {
        if (this.#running.has(lane) && !lane.startMore) continue;
        const at = await lane.nextDue(tx, this.services);
        if (at !== undefined) times.push({ lane, at });
      }
      return times;
    });
  }

  /** Starts due lanes without waiting for them; returns the next due time. */
  #begin(times: readonly { lane: DueWork; at: number }[]): number {
    const now = this.services.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { lane, at } of times) {
      const from = Math.max(at, this.#resting.get(lane) ?? 0);
      if (from > now) next = Math.min(next, from);
      else if (this.#running.has(lane)) lane.startMore?.();
      else if (!this.#isStopping) this.#beginLane(lane);
    }
    return next;
  }

  #beginLane(lane: DueWork): void {
    const rest = (ms: number) => this.#resting.set(lane, this.services.clock.now() + ms);
    this.#resting.delete(lane);
    this.#start(lane)
      .then((done) => {
        if (done === 0) rest(IDLE_PAUSE_MS);
      })
      .catch((error: unknown) => {
        this.services.logger.error({ error }, `background work failed: ${lane.name}`);
        rest(FAILURE_PAUSE_MS);
      })
      .finally(() => this.rearm());
  }

  async #waitUntil(time: number): Promise<void> {
    const ms = time - this.services.clock.now();
    if (ms <= 0 || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const cancel = this.services.clock.after(ms, resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
    });
    this.#endWait = undefined;
  }
}
