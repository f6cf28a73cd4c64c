import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { BadRequest } from '../base/errors.ts';
import type { AbortSignalLike } from '../base/platform-types.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventCursor } from '../storage/interface/events.ts';
import type { EventGap, LogBatch, ObservedEvent, ObserveOptions, Positioned } from './observed-events.ts';
import type { EventType } from './session.ts';

/** Another process may claim a cursor whose holder has not renewed the lease for this time, as after a SIGKILL. */
const LEASE_MS = 6_000;
const RENEWAL_MS = LEASE_MS / 3;
/** A soft limit: cursors created concurrently may exceed it. */
const MAX_CURSORS = 100;
const MAX_NAME = 100;

/**
 * A named position in the event log. One reader at a time holds it, in any process.
 *
 * free -> held (its reader renews the lease) -> free (released, or the lease has ended)
 */
export class NamedCursor {
  readonly #holder = randomUUID();
  isHeld = false;

  private constructor(
    private readonly engine: Engine,
    readonly name: string,
    /** Position when it was opened. */
    readonly position: number,
  ) {}

  /** Opens the cursor. A new one starts at the end of the log. */
  static async open(engine: Engine, name: string): Promise<NamedCursor> {
    if (name.trim() === '' || name.length > MAX_NAME) {
      throw new BadRequest(`A cursor name must have 1 to ${MAX_NAME} characters.`);
    }
    const position = await engine.storage.write(async (tx) => {
      const all = await tx.eventCursors.all();
      const known = all.find((one) => one.name === name);
      if (known) return known.position;
      if (all.length >= MAX_CURSORS) {
        throw new BadRequest(
          `There are already ${MAX_CURSORS} cursors, the largest number allowed. Remove one that you no longer use.`,
        );
      }
      const tail = await tx.events.tail();
      await tx.eventCursors.ensure(name, tail);
      return tail;
    }, 'silent');
    return new NamedCursor(engine, name, position);
  }

  /** The position that the holder saved last, in any process. */
  async keptPosition(): Promise<number> {
    return (await this.#access()).position;
  }

  async #access(): Promise<EventCursor> {
    const cursor = await this.engine.storage.read((tx) => tx.eventCursors.byName(this.name));
    if (!cursor) throw new BadRequest(`There is no cursor "${this.name}" any more.`);
    return cursor;
  }

  /** Claims the cursor if it is free. Resolves to its position, or undefined if another process holds it. */
  async claim(): Promise<number | undefined> {
    const { storage, clock } = this.engine;
    const seen = await this.#access();
    // Usually another process holds it. Then a read is enough.
    if (seen.holder !== null && seen.lease_until_ms > clock.now()) return undefined;
    const claimed = await storage.write(
      (tx) => tx.eventCursors.claim(this.name, this.#holder, clock.now(), clock.now() + LEASE_MS),
      'silent',
    );
    this.isHeld = claimed !== undefined;
    return claimed?.position;
  }

  /** Saves the position and renews the lease. `isHeld` becomes false if the lease was lost. */
  async save(position: number): Promise<void> {
    const { storage, clock } = this.engine;
    this.isHeld = await storage.write(
      (tx) => tx.eventCursors.save(this.name, this.#holder, position, clock.now() + LEASE_MS),
      'silent',
    );
  }

  /** Not a silent write: processes that wait for the cursor must notice it. */
  async release(): Promise<void> {
    this.isHeld = false;
    await this.engine.storage.write((tx) => tx.eventCursors.release(this.name, this.#holder), 'mark');
    this.engine.hub.wake();
  }
}

/** Called for one event at a time: the next call waits until the returned promise resolves. */
export type EventListener<T extends EventType = EventType> = (
  event: ObservedEvent<T>,
  about: { /** Aborted when the subscription stops. */ signal: AbortSignalLike },
) => unknown;

/** Options of `chat.on` for every kind of listener. */
export interface CursorOptions {
  /**
   * Name under which the position is stored, 1 to 100 characters. A listener with the same name continues there, also
   * after a restart or in another process. Only one process at a time reads for a name. Each event is delivered at
   * least once. A new name starts with the next event. Default: the position is not stored.
   */
  cursor?: string;
  /**
   * Called if events are missing because the listener was more than 100,000 events behind. The listener then
   * continues with the oldest event in the log. Default: the gap is logged as an error.
   */
  onGap?: (gap: EventGap) => unknown;
}

/** Options of `chat.on('event')`. */
export interface SubscriptionOptions<T extends EventType = EventType> extends ObserveOptions<T>, CursorOptions {}

/** A listener that `chat.on` has started. */
export interface EventSubscription {
  /** The last processed position of the log. Does not change while another process reads for the cursor. */
  readonly position: number;
  /** How often the listener has thrown. */
  readonly failures: number;
  /** How often events were missing. */
  readonly gaps: number;
  /** False while another process reads for the cursor, and after `stop`. */
  readonly isReading: boolean;
  /**
   * Resolves when all events committed until now have been processed, here or in the process that reads for the
   * cursor. Also resolves when the subscription stops.
   * @throws BadRequest if the cursor has been removed
   */
  caughtUp(): Promise<void>;
  /** Stops the subscription. Waits at most 5 seconds for a running call of the listener. */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Pause after a failed read of the database. */
const AFTER_TROUBLE_MS = 5_000;
/** Positions are saved at most this often. After a crash, the events of this interval are delivered again. */
const BETWEEN_SAVES_MS = 1_000;
const LONGEST_END_MS = 5_000;

/**
 * Reads the log for one listener.
 *
 * claiming (only with a cursor) -> reading -> delivering, one event at a time -> reading, or, at the end of the log,
 * waiting for a commit -> reading. If the lease of the cursor is lost, it returns to claiming.
 */
export class Subscription<E extends Positioned = Positioned> implements EventSubscription {
  readonly #ending = new AbortController();
  readonly #wakers = new Set<() => void>();
  readonly #stopListening: () => void;
  private readonly cursor: NamedCursor | undefined;
  /** Resolves when the subscription has stopped and its position is saved. */
  readonly stopped: Promise<void>;
  #isNoticed = false;
  #savedMs = 0;
  #saved: number;
  #cancelRenewal: () => void = () => undefined;
  position: number;
  failures = 0;
  gaps = 0;

  constructor(
    private readonly engine: Engine,
    private readonly listener: (event: E, about: { signal: AbortSignalLike }) => unknown,
    private readonly read: (after: number) => Promise<LogBatch<E>>,
    private readonly options: Pick<CursorOptions, 'onGap'>,
    { position, cursor }: { position: number; cursor: NamedCursor | undefined },
  ) {
    this.position = this.#saved = position;
    this.cursor = cursor;
    this.#stopListening = engine.hub.onWake(() => {
      this.#isNoticed = true;
      this.#wake();
    });
    this.stopped = this.#run();
  }

  get isReading(): boolean {
    return !this.#isEnding && (this.cursor?.isHeld ?? true);
  }

  async caughtUp(): Promise<void> {
    const tail = await this.engine.storage.read((tx) => tx.events.tail());
    for (;;) {
      const { cursor } = this;
      if (cursor && !cursor.isHeld && !this.#isEnding) {
        const kept = await cursor.keptPosition();
        if (!cursor.isHeld) this.position = Math.max(this.position, kept);
      }
      if (this.position >= tail || this.#isEnding) return;
      // Another process that holds the cursor does not announce its progress: read its saved position again.
      await this.#pause(cursor && BETWEEN_SAVES_MS);
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#stopListening();
    this.#wake();
    const waiting = new AbortController();
    await Promise.race([this.stopped, wait(LONGEST_END_MS, undefined, { signal: waiting.signal })]);
    waiting.abort();
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      try {
        await this.#work();
      } catch (error) {
        if (this.#isEnding) break;
        this.engine.logger.error({ error, cursor: this.cursor?.name }, 'reading the event log for a listener failed');
        await this.#rest(AFTER_TROUBLE_MS);
      }
    }
    this.#cancelRenewal();
    if (!this.cursor?.isHeld) return;
    await this.#save()
      .then(() => this.cursor?.release())
      .catch(this.#warnUnsaved);
  }

  #warnUnsaved = (error: unknown) => {
    this.engine.logger.warn({ error, cursor: this.cursor?.name }, 'the position of an event listener was not saved');
  };

  async #work(): Promise<void> {
    const { cursor } = this;
    if (cursor && !cursor.isHeld) {
      const claimed = await cursor.claim();
      // The holder may crash without releasing the cursor, so look again after a while.
      if (claimed === undefined) return this.#untilNoticed(RENEWAL_MS);
      this.position = claimed;
      this.#saved = claimed;
      this.#renewLater(cursor);
    }
    this.#isNoticed = false;
    const { events, position, more, gap } = await this.read(this.position);
    if (gap && !(await this.#tellGap(gap))) return;
    for (const [at, event] of events.entries()) {
      if (!(await this.#tell(() => this.listener(event, { signal: this.#ending.signal }), event.position))) return;
      // Several events can have the same position. It is done after the last of them.
      if (events[at + 1]?.position !== event.position) this.#advance(event.position);
    }
    this.#advance(position);
    const isSaveDue = cursor !== undefined && this.#saved < this.position;
    if (isSaveDue && this.engine.clock.now() - this.#savedMs >= BETWEEN_SAVES_MS) await this.#save();
    else if (!more) await this.#untilNoticed(isSaveDue ? BETWEEN_SAVES_MS : undefined);
  }

  #advance(position: number): void {
    this.position = position;
    this.#wake();
  }

  /** By timer, since one call of the listener can take longer than the lease. */
  #renewLater(cursor: NamedCursor): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.engine.clock.after(RENEWAL_MS, () => {
      if (!cursor.isHeld || this.#isEnding) return;
      this.#save().catch(this.#warnUnsaved);
      this.#renewLater(cursor);
    });
  }

  async #save(): Promise<void> {
    const { position } = this;
    await this.cursor?.save(position);
    this.#saved = position;
    this.#savedMs = this.engine.clock.now();
  }

  async #tellGap(gap: EventGap): Promise<boolean> {
    const { onGap } = this.options;
    this.gaps++;
    if (onGap) return this.#tell(() => onGap(gap), gap.resumes_after);
    this.engine.logger.error({ error: gap, cursor: this.cursor?.name }, 'an event listener has missed events');
    return true;
  }

  /** Repeats the call until it succeeds. False if the lease is lost or the subscription stops. */
  async #tell(call: () => unknown, position: number): Promise<boolean> {
    for (let ms = FIRST_RETRY_MS, isFirst = true; ; ms = Math.min(ms * 2, LONGEST_RETRY_MS), isFirst = false) {
      if (!this.isReading) return false;
      try {
        await call();
        return true;
      } catch (error) {
        if (this.#isEnding) return false;
        this.failures++;
        const about = { error, position, cursor: this.cursor?.name };
        if (isFirst) this.engine.logger.error(about, 'an event listener failed; the same event is delivered again');
        await this.#rest(ms);
      }
    }
  }

  /** Waits for a commit, for `stop`, or for the timeout. */
  async #untilNoticed(milliseconds?: number): Promise<void> {
    if (!this.#isNoticed && !this.#isEnding) await this.#pause(milliseconds);
  }

  /** Waits for the time, or for `stop`. */
  async #rest(milliseconds: number): Promise<void> {
    const until = this.engine.clock.now() + milliseconds;
    while (!this.#isEnding && this.engine.clock.now() < until) await this.#pause(until - this.engine.clock.now());
  }

  async #pause(milliseconds?: number): Promise<void> {
    let waker: () => void = () => undefined;
    let cancel: (() => void) | undefined;
    await new Promise<void>((resolve) => {
      waker = resolve;
      this.#wakers.add(waker);
      if (milliseconds !== undefined) cancel = this.engine.clock.after(milliseconds, waker);
    });
    this.#wakers.delete(waker);
    cancel?.();
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
  }
}
