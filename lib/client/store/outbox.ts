import { ChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import { type AccountStorage, parsed } from './account-storage.ts';
import { type Batch, SourceCell } from './cell.ts';
import { browserLocks } from './locks.ts';
import { hexOf } from './messages.ts';
import { isTopicPlace, stored } from './places.ts';
import type { Outgoing, Place, Outbox as PublicOutbox } from './types.ts';

const SLOW_AFTER_MS = 5_000;
/** After this time without its event, an acknowledged message is fetched. */
const EVENT_TIMEOUT_MS = 3_000;
/** The server forgets keys after 24 hours. Older messages are only sent again by the user. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** What stores keep for the next page, by the random text of each store. */
type Stored = Record<string, readonly (Omit<Outgoing, 'error'> & { error?: string | undefined })[]>;

interface Dependencies {
  session: Session;
  batch: Batch;
  storage: AccountStorage;
  queueId(): string | undefined;
  me(): number;
  /** Whether an event will bring this acknowledged message. */
  comesByEvent(id: number, place: Place): boolean;
  /** Lists of this place show or no longer show the message. */
  onChange(outgoing: Outgoing): void;
  /** A message is `unsure`: `retryUnsure` is wanted soon. */
  onUnreachable(): void;
  /** Puts an acknowledged message into the lists, from a fetch. */
  show(id: number): Promise<void>;
}

/**
 * Own messages on their way. States: `sending` -> (`slow`) -> removed by the event, or by a fetch of the acknowledged
 * message. A refusal leads to `failed`, a broken connection to `unsure`; `retry` starts again with the same key. When the
 * store is live again, or after a pause, it retries what is `unsure`. After 23 hours, that becomes `failed` instead.
 *
 * The storage has all of them until they are removed. A store takes over what an ended one has left, as `failed` or
 * `unsure`. A running store holds a lock with its name. Without locks, on plain HTTP, a store also takes over from running
 * ones. Two tabs then show the message, and its key still lets it arrive once.
 */
export class Outbox extends SourceCell<ReadonlyMap<string, Outgoing>> implements PublicOutbox {
  /** Local IDs by the ID of the acknowledged message. */
  readonly #acknowledged = new Map<number, string>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Names this store: 96 random bits. */
  readonly #prefix = hexOf(crypto.getRandomValues(new Uint8Array(12)));
  /** Lets another store take over the messages of this one. */
  #release: (() => void) | undefined;
  #count = 0;
  /** Whether the server knows idempotency keys. Without them, only the user decides to send again. */
  #hasKeys = true;

  constructor(private readonly dependencies: Dependencies) {
    super(dependencies.batch, new Map());
  }

  send(to: Place, content: string): Outgoing {
    const place = stored(to, this.dependencies.me());
    const localId = `${this.#prefix}.${++this.#count}`;
    const outgoing: Outgoing = { localId, place, content, state: 'sending', sentAt: Date.now() };
    this.#put(outgoing);
    void this.#deliver(outgoing);
    return outgoing;
  }

  retry(localId: string): void {
    const outgoing = this.#stuck(localId);
    if (outgoing) void this.#deliver(outgoing);
  }

  discard(localId: string): Outgoing | undefined {
    const outgoing = this.#stuck(localId);
    if (outgoing) this.#remove(localId);
    return outgoing;
  }

  /** The first data, or that after a lost queue. */
  reset(): void {
    const locks = browserLocks();
    if (!this.#release) {
      const running = new Promise<void>((resolve) => {
        this.#release = resolve;
      });
      locks?.request(this.#prefix, {}, () => running).catch(() => undefined);
    }
    this.#save();
    for (const store of Object.keys(this.#stored())) {
      const takeOver = () => this.#takeOver(store);
      if (locks) locks.request(store, { ifAvailable: true }, (lock) => lock && takeOver()).catch(() => undefined);
      else if (store !== this.#prefix) takeOver();
    }
  }

  /** Connected again: what may or may not have arrived is settled by its key. */
  retryUnsure(): void {
    for (const { error: _, ...outgoing } of this.get().values()) {
      if (outgoing.state !== 'unsure' || !this.#hasKeys) continue;
      if (Date.now() - outgoing.sentAt < KEY_LIFETIME_MS) this.retry(outgoing.localId);
      else this.#put({ ...outgoing, state: 'failed' });
    }
  }

  apply(event: ChatEvent): void {
    if (event.type !== 'message') return;
    const { local_message_id, message } = event;
    if (local_message_id !== undefined && message.sender_id === this.dependencies.me()) this.#remove(local_message_id);
    this.onArrival([message.id]);
  }

  /** These messages are in lists now. */
  onArrival(ids: readonly number[]): void {
    for (const id of ids) {
      const localId = this.#acknowledged.get(id);
      if (localId !== undefined) this.#remove(localId);
      this.#acknowledged.delete(id);
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#release?.();
    this.#release = undefined;
  }

  /** Sends and shows what a store has left that has ended. */
  #takeOver(store: string): void {
    const { [store]: left = [], ...others } = this.#stored();
    this.#write(others);
    for (const { error, state, ...rest } of left) {
      const isFailed = state === 'failed';
      this.#put({ ...rest, state: isFailed ? state : 'unsure', ...(error && { error: new Error(error) }) });
    }
    this.retryUnsure();
  }

  #stored(): Stored {
    return parsed(this.dependencies.storage.get('outbox', 'all') ?? '') ?? {};
  }

  #write(stored: Stored): void {
    const text = JSON.stringify(stored);
    this.dependencies.storage.set('outbox', 'all', text === '{}' ? undefined : text);
  }

  #save(): void {
    // Another store has taken over.
    if (!this.#release) return;
    const own = [...this.get().values()].map(({ error, state, ...rest }) => ({
      ...rest,
      state: this.#hasKeys ? state : 'failed',
      error: error?.message,
    }));
    // JSON leaves out what is undefined.
    this.#write({ ...this.#stored(), [this.#prefix]: own.length > 0 ? own : undefined } as Stored);
  }

  /** A message that waits for the user. */
  #stuck(localId: string): Outgoing | undefined {
    const outgoing = this.get().get(localId);
    return outgoing?.state === 'failed' || outgoing?.state === 'unsure' ? outgoing : undefined;
  }

  async #deliver(before: Outgoing): Promise<void> {
    const { error: _, ...rest } = before;
    const { localId, place, content } = rest;
    this.#put({ ...rest, state: 'sending' });
    this.#after(localId, SLOW_AFTER_MS, () => this.#put({ ...rest, state: 'slow' }));
    try {
      const { id, ...answer } = await this.#request(localId, place, content);
      if (answer.ignored_parameters_unsupported?.includes('idempotency_key')) this.#hasKeys = false;
      if (!this.get().has(localId)) return;
      this.#acknowledged.set(id, localId);
      this.#after(
        localId,
        this.dependencies.comesByEvent(id, place) ? EVENT_TIMEOUT_MS : 0,
        () => void this.#fetch(id),
      );
    } catch (error) {
      this.#clear(localId);
      if (!this.get().has(localId)) return;
      const isRefused = error instanceof ChatError && error.status < 500;
      this.#put({ ...rest, state: isRefused ? 'failed' : 'unsure', error: error as Error });
      if (!isRefused && this.#release) this.dependencies.onUnreachable();
    }
  }

  #request(localId: string, place: Place, content: string) {
    const { session, queueId, me } = this.dependencies;
    const queue_id = queueId();
    const common = {
      content,
      read_by_sender: true,
      local_id: localId,
      idempotency_key: localId,
      ...(queue_id !== undefined && { queue_id }),
    };
    if (isTopicPlace(place)) {
      return session.messages.send({ type: 'channel', to: place.channelId, topic: place.topic, ...common });
    }
    const to = place.userIds.length > 0 ? place.userIds : [me()];
    return session.messages.send({ type: 'direct', to, ...common });
  }

  async #fetch(id: number): Promise<void> {
    try {
      await this.dependencies.show(id);
    } catch {
      // Deleted since, or no connection: the message was acknowledged, so it needs no row of its own.
    }
    this.dependencies.batch.run(() => this.onArrival([id]));
  }

  #put(outgoing: Outgoing): void {
    this.dependencies.batch.run(() => {
      this.set(new Map(this.get()).set(outgoing.localId, outgoing));
      this.#save();
      this.dependencies.onChange(outgoing);
    });
  }

  #remove(localId: string): void {
    const outgoing = this.get().get(localId);
    if (!outgoing) return;
    this.#clear(localId);
    this.dependencies.batch.run(() => {
      const rest = new Map(this.get());
      rest.delete(localId);
      this.set(rest);
      this.#save();
      this.dependencies.onChange(outgoing);
    });
  }

  #after(localId: string, milliseconds: number, run: () => void): void {
    this.#clear(localId);
    this.#timers.set(localId, setTimeout(run, milliseconds));
  }

  #clear(localId: string): void {
    clearTimeout(this.#timers.get(localId));
    this.#timers.delete(localId);
  }
}
