import { BadRequest } from '../base/errors.ts';
import type { AbortSignalLike } from '../base/platform-types.ts';
import type { Engine } from '../engine/engine.ts';
import { StorageError } from '../storage/storage-error.ts';
import {
  type CursorOptions,
  type EventListener,
  type EventSubscription,
  NamedCursor,
  Subscription,
  type SubscriptionOptions,
} from './event-subscription.ts';
import {
  checkIsAnnounced,
  type NotificationListener,
  type NotificationOptions,
  readNotifications,
} from './notifications.ts';
import {
  type LogBatch,
  type ObservedEvent,
  type ObserveOptions,
  type Positioned,
  readObserved,
} from './observed-events.ts';
import type { EventType } from './session.ts';

/** Options of `chat.events`. */
export interface EventsOptions<T extends EventType = EventType> extends ObserveOptions<T> {
  /** Start after this `position`. Default: only new events. */
  after?: number;
  /** Ends the iteration. */
  signal?: AbortSignalLike;
}

/** State of a named cursor. */
export interface CursorState {
  /** Name, as passed to `chat.on`. */
  name: string;
  /** The last processed position of the log. */
  position: number;
  /** Number of positions to the end of the log. Beyond 100,000, events may be missing. */
  behind: number;
  /** Whether a process is reading for it. */
  isHeld: boolean;
}

/** The event listeners and iterations of this process. */
export class Observers {
  readonly #subscriptions = new Set<Pick<Subscription, 'stop'>>();
  readonly #ending = new AbortController();

  constructor(private readonly engine: Engine) {}

  on<T extends EventType>(listener: EventListener<T>, options: SubscriptionOptions<T>): Promise<EventSubscription> {
    const each = listener as unknown as EventListener;
    return this.#subscribe(each, (after) => readObserved(this.engine, after, options), options);
  }

  onNotification(listener: NotificationListener, options: NotificationOptions): Promise<EventSubscription> {
    const { way = 'email' } = options;
    checkIsAnnounced(this.engine, way);
    return this.#subscribe(listener, (after) => readNotifications(this.engine, after, way), options);
  }

  async #subscribe<E extends Positioned>(
    listener: (event: E, about: { signal: AbortSignalLike }) => unknown,
    read: (after: number) => Promise<LogBatch<E>>,
    options: CursorOptions,
  ): Promise<EventSubscription> {
    const cursor = options.cursor === undefined ? undefined : await NamedCursor.open(this.engine, options.cursor);
    const position = cursor?.position ?? (await this.#tail());
    // A subscription that starts now would not be stopped by `close`.
    if (this.#ending.signal.aborted) throw new StorageError('The chat has been closed.', 'closed');
    const subscription = new Subscription(this.engine, listener, read, options, { position, cursor });
    this.#subscriptions.add(subscription);
    void subscription.stopped.then(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  /** Reads the start position immediately, not with the first `next()`. */
  events<T extends EventType>(options: EventsOptions<T>): AsyncIterableIterator<ObservedEvent<T>> {
    const start = this.#start(options.after);
    start.catch(() => undefined);
    return this.#iterate(start, options) as AsyncIterableIterator<ObservedEvent<T>>;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
  }

  #tail(): Promise<number> {
    return this.engine.storage.read((tx) => tx.events.tail());
  }

  async #start(after: number | undefined): Promise<number> {
    const tail = await this.#tail();
    if (after === undefined) return tail;
    if (!Number.isSafeInteger(after) || after < 0 || after > tail) {
      throw new BadRequest(`The event log has no position ${after}: it ends at ${tail}.`);
    }
    return after;
  }

  async *#iterate(start: Promise<number>, options: EventsOptions): AsyncIterableIterator<ObservedEvent> {
    const { hub } = this.engine;
    const signal = AbortSignal.any([this.#ending.signal, ...(options.signal ? [options.signal] : [])]);
    let position = await start;
    let wake: () => void = () => undefined;
    let isNoticed = false;
    const notice = () => {
      isNoticed = true;
      wake();
    };
    const stopListening = hub.onWake(notice);
    signal.addEventListener('abort', notice);
    try {
      while (!signal.aborted) {
        isNoticed = false;
        const batch = await readObserved(this.engine, position, options);
        if (batch.gap) throw batch.gap;
        for (const event of batch.events) {
          if (signal.aborted) return;
          yield event;
        }
        position = batch.position;
        if (batch.more || isNoticed) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } catch (error) {
      // An error after `close` or `abort` ends the iteration normally.
      if (!signal.aborted) throw error;
    } finally {
      stopListening();
      signal.removeEventListener('abort', notice);
    }
  }
}

export function eventCursors({ storage, clock }: Engine): Promise<CursorState[]> {
  return storage.read(async (tx) => {
    const tail = await tx.events.tail();
    const now = clock.now();
    return (await tx.eventCursors.all()).map(({ name, position, holder, lease_until_ms }) => ({
      name,
      position,
      behind: tail - position,
      isHeld: holder !== null && lease_until_ms > now,
    }));
  });
}

export const removeEventCursor = ({ storage }: Engine, name: string): Promise<boolean> =>
  storage.write((tx) => tx.eventCursors.remove(name), 'silent');

export async function moveEventCursorToNow({ storage, hub }: Engine, name: string): Promise<boolean> {
  // Not a silent write: the process that reads for the cursor must claim it again and continue there.
  const isThere = await storage.write(async (tx) => tx.eventCursors.advance(name, await tx.events.tail()), 'mark');
  hub.wake();
  return isThere;
}
