import { ChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import { isTopicPlace } from './places.ts';
import type { Outgoing, Place } from './types.ts';

const SLOW_MS = 5_000;
/** After this time without its event, an acknowledged message is fetched. */
const EVENT_MS = 3_000;

interface Dependencies {
  session: Session;
  batch: Batch;
  queueId(): string | undefined;
  me(): number;
  /** Whether events come for messages of this place. */
  isFollowed(place: Place): boolean;
  /** Lists of this place show or no longer show the message. */
  onChange(outgoing: Outgoing): void;
  /** Puts an acknowledged message into the lists, from a fetch. */
  show(id: number): Promise<void>;
}

/**
 * Own messages on their way. States: `sending` -> (`slow`) -> removed by the event, or by a fetch of the acknowledged
 * message. A refusal leads to `failed`, a broken connection to `unsure`; `retry` starts again with the same key.
 */
export class Outbox {
  readonly cell: SourceCell<ReadonlyMap<string, Outgoing>>;
  /** Local IDs by the ID of the acknowledged message. */
  readonly #acknowledged = new Map<number, string>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #prefix = randomText();
  #count = 0;
  /** Whether the server knows idempotency keys. Without them, only the user decides to send again. */
  #hasKeys = true;

  constructor(private readonly dependencies: Dependencies) {
    this.cell = new SourceCell<ReadonlyMap<string, Outgoing>>(dependencies.batch, new Map());
  }

  send(place: Place, content: string): Outgoing {
    const localId = `${this.#prefix}.${++this.#count}`;
    const outgoing: Outgoing = { localId, place, content, state: 'sending', sentAt: Date.now() };
    this.#put(outgoing);
    void this.#deliver(outgoing);
    return outgoing;
  }

  retry(localId: string): void {
    const outgoing = this.cell.get().get(localId);
    if (outgoing?.state === 'failed' || outgoing?.state === 'unsure') void this.#deliver(outgoing);
  }

  discard(localId: string): Outgoing | undefined {
    const outgoing = this.cell.get().get(localId);
    if (outgoing?.state !== 'failed' && outgoing?.state !== 'unsure') return undefined;
    this.#remove(localId);
    return outgoing;
  }

  /** Connected again: what may or may not have arrived is settled by its key. */
  settle(): void {
    if (!this.#hasKeys) return;
    for (const { localId, state } of this.cell.get().values()) if (state === 'unsure') this.retry(localId);
  }

  apply(event: ChatEvent): void {
    if (event.type !== 'message') return;
    const { local_message_id, message } = event;
    if (local_message_id !== undefined && message.sender_id === this.dependencies.me()) this.#remove(local_message_id);
    this.onArrival([message.id]);
  }

  /** These messages are in lists now. */
  onArrival(ids: readonly number[]): void {
    if (this.#acknowledged.size === 0) return;
    for (const id of ids) {
      const localId = this.#acknowledged.get(id);
      if (localId !== undefined) this.#remove(localId);
      this.#acknowledged.delete(id);
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #deliver(before: Outgoing): Promise<void> {
    const { error: _, ...rest } = before;
    const { localId, place, content } = rest;
    this.#put({ ...rest, state: 'sending' });
    this.#after(localId, SLOW_MS, () => this.#put({ ...rest, state: 'slow' }));
    try {
      const { id, ...answer } = await this.#request(localId, place, content);
      if (answer.ignored_parameters_unsupported?.includes('idempotency_key')) this.#hasKeys = false;
      if (!this.cell.get().has(localId)) return;
      this.#acknowledged.set(id, localId);
      this.#after(localId, this.dependencies.isFollowed(place) ? EVENT_MS : 0, () => void this.#fetch(id));
    } catch (error) {
      this.#clear(localId);
      if (!this.cell.get().has(localId)) return;
      const isRefused = error instanceof ChatError && error.status < 500;
      this.#put({ ...rest, state: isRefused ? 'failed' : 'unsure', error: error as Error });
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
      ...(queue_id === undefined ? {} : { queue_id }),
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
      this.cell.set(new Map(this.cell.get()).set(outgoing.localId, outgoing));
      this.dependencies.onChange(outgoing);
    });
  }

  #remove(localId: string): void {
    const outgoing = this.cell.get().get(localId);
    if (!outgoing) return;
    this.#clear(localId);
    this.dependencies.batch.run(() => {
      const rest = new Map(this.cell.get());
      rest.delete(localId);
      this.cell.set(rest);
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

/** 96 random bits. */
function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
