import { randomUUID } from 'node:crypto';
import type { Logger } from '../adapters/logger.ts';
import type { LoggedEvent } from '../storage/interface/events.ts';
import type { Storage } from '../storage/interface/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type Batch, deliveriesOf, type Organizations, RecentLog, readBatch } from './batch.ts';
import { queueNotice } from './queue-notices.ts';
import type { Feed, Subscription } from './subscription.ts';

/** Milliseconds that a subscription stays open after an answer. */
const IDLE_MS = 10_000;
const MAX_SUBSCRIPTIONS = 50_000;

/**
 * Feeds the subscriptions of this process. After a commit, in this or another process, it reads the new part of the log
 * once for all of them.
 *
 * idle -> scheduled (a commit was noticed, and a reader waits) -> reading -> idle. It reads again while the log has more
 * and a reader waits. The batch lacks the users of subscriptions that open during the read: they close if it has events
 * that their readers have not searched.
 *
 * Each batch has the versions of its snapshot. If the account of a subscription has changed, the subscription closes.
 */
export class EventHub implements Feed {
  /** ID of this process, stored with the queues that it serves. */
  readonly id = randomUUID();
  #state: 'idle' | 'scheduled' | 'reading' = 'idle';
  recent = new RecentLog(0, -1);
  readonly #open = new Map<string, Subscription>();
  readonly live = new Set<Subscription>();
  /** Subscriptions that opened during the current read. */
  readonly #joined = new Set<Subscription>();
  /** Possible commits that this process has noticed. */
  commitCount = 0;
  /** Value of commitCount at the last read of the log. */
  #readCount = 0;
  /** Time of the newest event that was read, if the log has more. */
  #behindSince: number | undefined;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
    readonly organizations: Organizations,
  ) {}

  /** Milliseconds by which delivery is behind the log, at the time `now`. 0 if no reader waits. */
  lagMs(now: number): number {
    return this.live.size === 0 || this.#behindSince === undefined ? 0 : Math.max(0, now - this.#behindSince);
  }

  /** Number of waiting readers. */
  get waiting(): number {
    return this.live.size;
  }

  /** Whether a reader waits, or a listener of the log. */
  get isAwaited(): boolean {
    return this.live.size > 0 || this.#listeners.size > 0;
  }

  /** The open subscription of a queue. The caller must be authorized. */
  find(queueId: string): Subscription | undefined {
    return this.#open.get(queueId);
  }

  /** False if batches that did not include the user have more of the log than its reader has read. */
  open(subscription: Subscription): boolean {
    // After `close`, commits are not noticed any more.
    if (this.#isClosed) throw new StorageError('The chat has been closed.', 'closed');
    const { seq, reader, queue } = subscription;
    if (this.live.size === 0 && this.#state !== 'reading') this.#skipTo(subscription);
    const known = this.#open.get(queue.id);
    const isIncluded = known?.reader.version === reader.version && known.seq <= seq;
    if (known) this.#close(known);
    if (!isIncluded && this.#isBehind(subscription)) return false;
    if (this.#open.size >= MAX_SUBSCRIPTIONS) this.#closeIdle(Number.POSITIVE_INFINITY);
    subscription.open(this);
    this.#open.set(queue.id, subscription);
    if (this.#state === 'reading') this.#joined.add(subscription);
    return true;
  }

  /** Ends the wait of the queue's reader in this process, if there is one. */
  supersede(queueId: string): void {
    this.#open.get(queueId)?.supersede();
  }

  /** Something may have been committed. */
  wake(): void {
    this.commitCount++;
    for (const listener of this.#listeners) listener();
    this.readSoon();
  }

  /** Calls `listener` after possible commits; returns a function that ends it. The listener must return immediately. */
  onWake(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The log continues from an older state: every reader reads it again. */
  rewind(): void {
    this.#closeAll();
    this.recent = new RecentLog(0, -1);
  }

  close(): void {
    this.#isClosed = true;
    this.#closeAll(undefined, 'superseded');
    this.recent = new RecentLog(this.recent.position, this.recent.usersVersion);
  }

  mayHaveMore(commitCount: number): boolean {
    const isCurrent = this.commitCount === Math.max(commitCount, this.#readCount);
    // If the last read left the log unread, delivery would count as late until the next commit.
    return !isCurrent || this.#state === 'reading' || this.#behindSince !== undefined;
  }

  readSoon(): void {
    if (this.#state !== 'idle' || this.live.size === 0) return;
    this.#state = 'scheduled';
    setImmediate(() => void this.#read());
  }

  async #read(): Promise<void> {
    try {
      this.#state = 'reading';
      const isUnread = () => this.commitCount !== this.#readCount || this.#behindSince !== undefined;
      do await this.#readBatch();
      while (this.live.size > 0 && isUnread());
    } catch (error) {
      this.#behindSince = undefined;
      this.logger.error({ error }, 'reading the event log failed; waiting polls look again');
      this.#closeAll((subscription) => this.live.has(subscription));
    } finally {
      this.#state = 'idle';
    }
  }

  async #readBatch(): Promise<void> {
    if (this.live.size === 0) return;
    const { commitCount, organizations, recent } = this;
    const { position, usersVersion, eventSize } = recent;
    const readAt = performance.now();
    const oldest = readAt - IDLE_MS;
    this.#closeIdle(oldest);
    this.#joined.clear();
    const userIds = [...new Set([...this.#open.values()].map(({ reader }) => reader.id))];
    const progress = { position, usersVersion, eventSize };
    const batch = await this.storage.read((tx) => readBatch(tx, userIds, organizations, progress));
    // The log was rewound in the meantime: readers that came since would wait at its start.
    if (recent !== this.recent) return this.#closeAll();
    this.#readCount = commitCount;
    this.#behindSince = batch?.more ? batch.appendedMs : undefined;
    if (batch) {
      organizations.update(batch.organization);
      recent.add(batch, { readAt, oldest });
      for (const subscription of this.#joined) if (this.#isBehind(subscription)) this.#close(subscription);
      const { changed } = batch;
      if (changed.size > 0) this.#closeAll(({ reader }) => (changed.get(reader.id) ?? 0) > reader.version);
      this.#obeyNotices(batch.events);
    }
    this.#deliver(position, batch);
  }

  /** @param after position before the batch. Readers that waited at it only need the batch. */
  #deliver(after: number, batch: Batch | undefined): void {
    const live = [...this.live];
    const deliveries = batch && deliveriesOf(batch, live);
    for (const subscription of live) {
      const { seq } = subscription;
      if (!this.recent.hasAllAfter(seq)) this.#close(subscription);
      else subscription.receive(seq < after ? this.recent.eventsFor(subscription) : deliveries?.get(subscription));
    }
  }

  #isBehind({ seq, usersVersion }: Subscription): boolean {
    return seq < this.recent.position || usersVersion < this.recent.usersVersion;
  }

  /** Without waiting readers the log is not read, so a new one may have read further. */
  #skipTo({ seq, usersVersion }: Subscription): void {
    this.#closeIdle(performance.now() - IDLE_MS);
    const { recent } = this;
    if (this.#open.size > 0) return;
    this.recent = new RecentLog(Math.max(recent.position, seq), Math.max(recent.usersVersion, usersVersion));
  }

  #close(subscription: Subscription, received: 'closed' | 'superseded' = 'closed'): void {
    const { id } = subscription.queue;
    if (this.#open.get(id) === subscription) this.#open.delete(id);
    subscription.close(received);
  }

  #closeAll(
    isConcerned: (subscription: Subscription) => boolean = () => true,
    received?: 'closed' | 'superseded',
  ): void {
    for (const subscription of this.#open.values()) if (isConcerned(subscription)) this.#close(subscription, received);
  }

  /** Closes subscriptions without a reader since before this time. */
  #closeIdle(oldest: number): void {
    this.#closeAll((subscription) => !this.live.has(subscription) && subscription.idleSince < oldest);
  }

  #obeyNotices(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const notice = queueNotice(event);
      if (!notice) continue;
      if ('userIds' in notice) {
        const gone = new Set(notice.userIds);
        this.#closeAll(({ reader }) => gone.has(reader.id));
      } else if (notice.holder !== this.id) {
        const subscription = this.#open.get(notice.queueId);
        if (!subscription || event.seq <= subscription.seq) continue;
        if (notice.holder !== null) subscription.supersede();
        this.#close(subscription);
      }
    }
  }
}
