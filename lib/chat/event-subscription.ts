import type { Engine } from '../kernel/engine.ts';
import type { EventType } from '../kernel/session.ts';
import { type NamedCursor, RENEWAL_MS } from './named-cursor.ts';
import { type EventGap, type ObservedEvent, type ObserveOptions, readObserved } from './observed-events.ts';

/** Told of one event after the other: the next when the promise of the last has been fulfilled. */
export type EventListener<T extends EventType = EventType> = (
  event: ObservedEvent<T>,
  about: { /** Aborted when it is to end. */ signal: AbortSignal },
) => unknown;

/** Which events a listener of `chat.on` is told, and from where on. */
export interface SubscriptionOptions<T extends EventType = EventType> extends ObserveOptions<T> {
  /**
   * Keeps the place under this name: whoever comes later goes on there, also after a restart or in another process, of
   * which one at a time works on a name. Each event is told once at least. A new name begins with what happens next.
   */
  cursor?: string;
  /**
   * Told where events are missing, since the listener was more than 100,000 behind; afterwards it goes on with what
   * there is. Without it the gap is logged.
   */
  onGap?: (gap: EventGap) => unknown;
}

/** What `chat.on` answers: how far the listener is, and how to end it. */
export interface EventSubscription {
  /** Everything up to this place of the log has been told. While another process works on the cursor, it stands still. */
  readonly position: number;
  /** How often the listener has failed. */
  readonly failures: number;
  /** How often events were missing. */
  readonly gaps: number;
  /** False while another process works on the cursor. */
  readonly isReading: boolean;
  /**
   * Resolves when everything that is committed by now has been told, here or by the process that works on the cursor,
   * or when it has ended.
   * @throws BadRequest where the cursor has been removed meanwhile
   */
  caughtUp(): Promise<void>;
  /** Ends it, and waits for what the listener is at, five seconds at most. */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** The database is in trouble. */
const AFTER_TROUBLE_MS = 5_000;
/** A place is written no more often than this while it moves: what is told twice after a crash is little. */
const BETWEEN_SAVES_MS = 1_000;
const LONGEST_END_MS = 5_000;

/**
 * Reads the log for one listener.
 *
 * claiming (where there is a cursor) -> reading -> telling, one event after the other -> reading, or, at the end of
 * the log, waiting for a commit -> reading. A cursor that is lost meanwhile leads back to claiming.
 */
export class Subscription implements EventSubscription {
  readonly #ending = new AbortController();
  readonly #wakers = new Set<() => void>();
  readonly #stopListening: () => void;
  #isNoticed = false;
  #running: Promise<void> = Promise.resolve();
  #savedMs = 0;
  #saved: number;
  #cancelRenewal: () => void = () => undefined;
  failures = 0;
  gaps = 0;

  constructor(
    private readonly engine: Engine,
    private readonly listener: EventListener,
    private readonly options: SubscriptionOptions,
    public position: number,
    private readonly cursor: NamedCursor | undefined,
  ) {
    this.#saved = position;
    this.#stopListening = engine.hub.onWake(() => {
      this.#isNoticed = true;
      this.#wake();
    });
  }

  get isReading(): boolean {
    return !this.#isEnding && (this.cursor?.isHeld ?? true);
  }

  /** When it has ended, and its place has been kept. */
  get ended(): Promise<void> {
    return this.#running;
  }

  start(): this {
    this.#running = this.#run();
    return this;
  }

  async caughtUp(): Promise<void> {
    const tail = await this.engine.storage.read((tx) => tx.events.tail());
    for (;;) {
      await this.#followHolder();
      if (this.position >= tail || this.#isEnding) return;
      // Whoever else holds the cursor does not say how far it is.
      await this.#pause(this.cursor && BETWEEN_SAVES_MS);
    }
  }

  /** While another process works on the cursor, the place is as it was kept last. */
  async #followHolder(): Promise<void> {
    if (!this.cursor || this.cursor.isHeld || this.#isEnding) return;
    const kept = await this.cursor.keptPosition();
    if (!this.cursor.isHeld) this.position = Math.max(this.position, kept);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#stopListening();
    this.#wake();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LONGEST_END_MS);
    });
    await Promise.race([this.#running, patience]);
    clearTimeout(timer);
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
        this.engine.logger.error({ error, cursor: this.cursor?.name }, 'reading events for a listener failed');
        await this.#rest(AFTER_TROUBLE_MS);
      }
    }
    this.#cancelRenewal();
    await this.#letGo().catch((error: unknown) => {
      this.engine.logger.warn({ error, cursor: this.cursor?.name }, 'the place of a listener was not kept');
    });
  }

  async #work(): Promise<void> {
    if (this.cursor && !this.cursor.isHeld && !(await this.#claim(this.cursor))) {
      // Whoever holds it may die without a word.
      await this.#untilNoticed(RENEWAL_MS);
      return;
    }
    this.#isNoticed = false;
    const { events, position, more, gap } = await readObserved(this.engine, this.position, this.options);
    if (gap && !(await this.#tellGap(gap))) return;
    for (const [at, event] of events.entries()) {
      if (!(await this.#tell(() => this.listener(event, { signal: this.#ending.signal }), event.position))) return;
      // Several may stand for one place, which is done with the last of them.
      if (events[at + 1]?.position !== event.position) this.#advance(event.position);
    }
    this.#advance(position);
    const isSaveDue = this.cursor !== undefined && this.#saved < this.position;
    if (isSaveDue && this.engine.clock.now() - this.#savedMs >= BETWEEN_SAVES_MS) await this.#save();
    else if (!more) await this.#untilNoticed(isSaveDue ? BETWEEN_SAVES_MS : undefined);
  }

  #advance(position: number): void {
    this.position = position;
    this.#wake();
  }

  async #claim(cursor: NamedCursor): Promise<boolean> {
    const position = await cursor.claim();
    if (position === undefined) return false;
    this.position = position;
    this.#saved = position;
    this.#renewLater(cursor);
    return true;
  }

  /** Also while the listener works, which may take as long as it likes. */
  #renewLater(cursor: NamedCursor): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.engine.clock.after(RENEWAL_MS, () => {
      if (!cursor.isHeld || this.#isEnding) return;
      this.#save().catch((error: unknown) => {
        this.engine.logger.warn({ error, cursor: cursor.name }, 'the place of a listener was not kept');
      });
      this.#renewLater(cursor);
    });
  }

  async #save(): Promise<void> {
    const { position } = this;
    await this.cursor?.save(position);
    this.#saved = position;
    this.#savedMs = this.engine.clock.now();
  }

  async #letGo(): Promise<void> {
    if (!this.cursor?.isHeld) return;
    await this.#save();
    await this.cursor.release();
  }

  async #tellGap(gap: EventGap): Promise<boolean> {
    const { onGap } = this.options;
    this.gaps++;
    if (onGap) return this.#tell(() => onGap(gap), gap.resumes_after);
    this.engine.logger.error({ error: gap, cursor: this.cursor?.name }, 'a listener has missed events');
    return true;
  }

  /** Until it succeeds; false where it is somebody else's by then, or all is to end. */
  async #tell(call: () => unknown, position: number): Promise<boolean> {
    for (let wait = FIRST_RETRY_MS, isFirst = true; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS), isFirst = false) {
      if (!this.isReading) return false;
      try {
        await call();
        return true;
      } catch (error) {
        if (this.#isEnding) return false;
        this.failures++;
        const about = { error, position, cursor: this.cursor?.name };
        if (isFirst)
          this.engine.logger.error(about, 'a listener for events failed; it is told of the same event again');
        await this.#rest(wait);
      }
    }
  }

  /** Until something may have been committed, it is to end, or the time is over. */
  async #untilNoticed(milliseconds?: number): Promise<void> {
    if (!this.#isNoticed && !this.#isEnding) await this.#pause(milliseconds);
  }

  /** So long, or until it is to end. */
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
