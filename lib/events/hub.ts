import { randomUUID } from 'node:crypto';
import type { Logger } from '../adapters/logger.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../storage/interface/events.ts';
import type { Storage } from '../storage/interface/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type Batch, deliveriesOf, type OrganizationCache, readBatch } from './batch.ts';
import { seqOf } from './event-encoder.ts';
import { queueNotice } from './queue-notices.ts';
import { type Delivered, type PollState, Waiter, type WaitOptions, type Wakeup } from './waiter.ts';

/** A queue whose poll waits here, or got an answer recently. Its next poll continues without reading the log. */
export class ParkedQueue implements PollState {
  queue: EventQueue;
  readonly reader: User;
  readonly usersVersion: number;
  readonly publicFeed: PublicFeed;
  readonly accepts: PollState['accepts'];
  seq: number;
  /** Position of the newest event that the client has received or acknowledged. */
  last: number;
  /** Time of the last answer (`performance.now()`). */
  since = 0;
  waiter: Waiter | undefined;
  /** Number of the first batch with the subscriptions of the user. */
  firstBatch = 0;

  constructor(poll: PollState) {
    this.queue = poll.queue;
    this.reader = poll.reader;
    this.usersVersion = poll.usersVersion;
    this.publicFeed = poll.publicFeed;
    this.accepts = poll.accepts;
    this.seq = this.last = poll.seq;
  }
}

const UNREAD = -1;
const MAX_EVENTS_PER_ANSWER = 1_000;
/** Milliseconds that a queue stays parked after an answer. */
const PARKED_MS = 10_000;
const MAX_PARKED = 50_000;
/** Size of the newest part of the log in memory, in UTF-16 code units of JSON. */
const MAX_RECENT_SIZE = 8_000_000;

/**
 * Wakes the polls of this process. After a commit, in this or another process, it reads the new part of the log once
 * for all parked queues.
 *
 * idle -> scheduled (a commit was noticed and polls wait) -> reading -> idle. A commit while reading leads to noticed,
 * which reads again. The batch lacks the users of polls that start waiting during the read. They look at the log
 * again if it has events that they have not searched.
 *
 * Each batch has the versions of its snapshot. A poll whose account has changed looks at the log again, and its caller
 * is authorized again. The others continue.
 *
 * After an answer, the queue stays parked: the next poll gets the events of later batches without a statement. This
 * ends when its account changes, or when memory no longer has all events that it misses.
 */
export class EventHub {
  /** ID of this process, stored with queues whose polls wait here. */
  readonly id = randomUUID();
  #state: 'idle' | 'scheduled' | 'reading' | 'noticed' = 'idle';
  /** Position up to which the batches for the parked queues reach. */
  #position = 0;
  /** All accounts of parked queues are current up to this version. */
  #usersVersion = -1;
  /** Number of the latest batch. */
  #batch = 0;
  /** The newest batches, oldest first, without gaps up to #position. */
  readonly #recent: { after: number; batch: Batch; readAt: number }[] = [];
  #recentSize = 0;
  commitCount = 0;
  /** Value of commitCount at the last read of the log, or UNREAD if the log has more. */
  #readCount = 0;
  /** Time of the newest event of the latest batch, if the log has more. */
  #lateSince: number | undefined;
  #isClosed = false;
  #rewinds = 0;
  readonly #parked = new Map<string, ParkedQueue>();
  #waiting = 0;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
    readonly organizations: OrganizationCache,
  ) {}

  /** Milliseconds by which delivery is behind the log, at the time `now`. 0 if no poll waits. */
  lagMs(now: number): number {
    return this.#waiting === 0 || this.#lateSince === undefined ? 0 : Math.max(0, now - this.#lateSince);
  }

  /** Number of waiting polls. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a poll waits, or a listener of the log. */
  get isAwaited(): boolean {
    return this.#waiting > 0 || this.#listeners.size > 0;
  }

  /** The parked queue, if a poll that acknowledges this event can continue there. */
  parked(queueId: string, lastEventId: number): ParkedQueue | undefined {
    const parked = this.#parked.get(queueId);
    if (!parked || this.#isClosed) return undefined;
    return this.#continuesAt(parked, seqOf(parked.queue, lastEventId)) ? parked : undefined;
  }

  #continuesAt(parked: ParkedQueue, last: number): boolean {
    const { seq } = parked;
    return last >= parked.last && last <= Math.max(this.#position, seq) && this.#hasAllAfter(Math.max(last, seq));
  }

  /** Whether the newest part of the log in memory has everything after this position. */
  #hasAllAfter(seq: number): boolean {
    return seq >= (this.#recent[0]?.after ?? this.#position);
  }

  /**
   * Waits until an event after `seq` concerns the user, at most `milliseconds`. A newer poll of the same queue ends it.
   * `commitCount` is the value from before the caller read the log: it may have missed later commits.
   */
  async wait(poll: PollState, options: WaitOptions & { commitCount: number }): Promise<Wakeup> {
    // After `close`, commits are not noticed any more.
    if (this.#isClosed) throw new StorageError('The chat has been closed.', 'closed');
    if (options.signal?.aborted) return 'aborted';
    this.supersede(poll.queue.id);
    const parked = this.#enter(poll);
    if (!parked) return 'look again';
    const wakeup = this.#park(parked, options);
    // If the last read left the log unread, delivery would count as late until the next commit.
    if (options.commitCount !== this.commitCount || this.#readCount === UNREAD) this.#schedule();
    return wakeup;
  }

  /**
   * Like `wait`, at a parked queue. Hands out events after a read of all known commits: one may have ended the account.
   * @param last position of the newest event that the client has received
   */
  async resume(parked: ParkedQueue, last: number, options: WaitOptions): Promise<Wakeup> {
    // A client that is gone must not end its next poll.
    if (options.signal?.aborted) return 'aborted';
    this.supersede(parked.queue.id);
    if (this.#parked.get(parked.queue.id) !== parked || !this.#continuesAt(parked, last)) return 'look again';
    parked.last = last;
    // The client may have received events by a read of the log.
    parked.seq = Math.max(parked.seq, last);
    const hasUnread = this.#isReading || this.commitCount !== this.#readCount;
    if (!hasUnread) {
      const events = this.#recentEvents(parked);
      if (events.length > 0) return this.#take(parked, events);
      parked.seq = Math.max(parked.seq, this.#position);
    }
    const wakeup = this.#park(parked, options);
    if (hasUnread) this.#schedule();
    return wakeup;
  }

  /**
   * The caller has read the log up to `poll.seq` and answers with events: the next poll can continue there.
   * @param last position of the newest of these events
   */
  note(poll: PollState, last: number): void {
    if (this.#isClosed) return;
    const parked = this.#enter(poll);
    if (!parked) return;
    parked.last = last;
    parked.since = performance.now();
  }

  /** Undefined if batches that did not include the user have more of the log than `poll`. */
  #enter(poll: PollState): ParkedQueue | undefined {
    const { id } = poll.queue;
    if (this.#waiting === 0 && !this.#isReading) this.#skipTo(poll);
    const known = this.#parked.get(id);
    if (known && known.reader.version === poll.reader.version && known.seq <= poll.seq) {
      known.queue = poll.queue;
      known.seq = poll.seq;
      return known;
    }
    this.#parked.delete(id);
    if (this.#isBehind(poll)) return undefined;
    if (this.#parked.size >= MAX_PARKED) this.#forgetParked(() => true);
    // One object for both: thousands of polls wait.
    const parked = poll instanceof ParkedQueue ? poll : new ParkedQueue(poll);
    parked.firstBatch = this.#batch + 1;
    this.#parked.set(id, parked);
    return parked;
  }

  #park(parked: ParkedQueue, options: WaitOptions): Promise<Wakeup> {
    return new Promise((wake) => {
      parked.waiter = new Waiter(parked, options, wake, this.#leave);
      this.#waiting++;
    });
  }

  readonly #leave = (waiter: Waiter): void => {
    const parked = waiter.poll as ParkedQueue;
    if (parked.waiter !== waiter) return;
    parked.waiter = undefined;
    parked.since = performance.now();
    this.#waiting--;
  };

  /** Ends the waiting poll of this queue in this process, if there is one. */
  supersede(queueId: string): void {
    this.#parked.get(queueId)?.waiter?.supersede();
  }

  /** Something may have been committed. */
  wake(): void {
    this.commitCount++;
    for (const listener of this.#listeners) listener();
    this.#schedule();
  }

  /** Calls `listener` after possible commits; returns a function that ends it. The listener must return immediately. */
  onWake(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The log continues from an older state: resets the position, and lets every poll read the log again. */
  rewind(): void {
    this.#rewinds++;
    this.#finishAll('look again');
    this.#restart(0, -1);
  }

  close(): void {
    this.#isClosed = true;
    this.#finishAll('superseded');
    this.#restart(this.#position, this.#usersVersion);
  }

  get #isReading(): boolean {
    return this.#state === 'reading' || this.#state === 'noticed';
  }

  #finishAll(wakeup: Wakeup): void {
    for (const { waiter } of this.#parked.values()) waiter?.finish(wakeup);
  }

  #restart(position: number, usersVersion: number): void {
    this.#position = position;
    this.#usersVersion = usersVersion;
    this.#recent.length = this.#recentSize = 0;
    this.#parked.clear();
  }

  /** Forgets queues without a waiting poll. */
  #forgetParked(isOver: (parked: ParkedQueue) => boolean): void {
    for (const [id, parked] of this.#parked) if (!parked.waiter && isOver(parked)) this.#parked.delete(id);
  }

  /** Without waiting polls the log is not read, so a new poll may have read further. */
  #skipTo({ seq, usersVersion }: PollState): void {
    const oldest = performance.now() - PARKED_MS;
    this.#forgetParked(({ since }) => since < oldest);
    if (this.#parked.size > 0) return;
    this.#restart(Math.max(this.#position, seq), Math.max(this.#usersVersion, usersVersion));
  }

  #schedule(): void {
    if (this.#isReading) this.#state = 'noticed';
    if (this.#state !== 'idle' || this.#waiting === 0) return;
    this.#state = 'scheduled';
    setImmediate(() => void this.#read());
  }

  async #read(): Promise<void> {
    try {
      do {
        this.#state = 'reading';
        if (await this.#readBatch()) this.#state = 'noticed';
      } while (this.#state === 'noticed' && this.#waiting > 0);
    } catch (error) {
      this.#lateSince = undefined;
      this.logger.error({ error }, 'reading the event log failed; waiting polls look again');
      this.#finishAll('look again');
    } finally {
      this.#state = 'idle';
    }
  }

  #isBehind({ seq, usersVersion }: PollState): boolean {
    return seq < this.#position || usersVersion < this.#usersVersion;
  }

  /** @returns whether the log has more */
  async #readBatch(): Promise<boolean> {
    if (this.#waiting === 0) return false;
    const now = performance.now();
    this.#forgetParked(({ since }) => since < now - PARKED_MS);
    const userIds = [...new Set([...this.#parked.values()].map(({ reader }) => reader.id))];
    const { commitCount, organizations } = this;
    const rewinds = this.#rewinds;
    const after = this.#position;
    this.#batch++;
    const { size = 0, events = [] } = this.#recent.at(-1)?.batch ?? {};
    const eventSize = events.length > 0 ? size / events.length : MAX_RECENT_SIZE;
    const progress = { position: after, usersVersion: this.#usersVersion, eventSize };
    const batch = await this.storage.read((tx) => readBatch(tx, userIds, organizations, progress));
    if (rewinds !== this.#rewinds) {
      this.#finishAll('look again');
      this.#parked.clear();
      return false;
    }
    this.#readCount = batch?.more ? UNREAD : commitCount;
    this.#lateSince = batch?.more ? batch.appendedMs : undefined;
    if (batch) {
      this.#position = batch.events.at(-1)?.seq ?? after;
      this.#usersVersion = Math.max(this.#usersVersion, batch.usersVersion);
      organizations.keep(batch.organization);
      this.#keep({ after, batch, readAt: now });
      for (const parked of this.#parked.values()) {
        if (parked.firstBatch > this.#batch && this.#isBehind(parked)) this.#forget(parked);
      }
      this.#dropChanged(batch);
      this.#obeyNotices(batch.events);
    }
    this.#deliver(after, batch);
    return batch?.more ?? false;
  }

  #keep(read: { after: number; batch: Batch; readAt: number }): void {
    this.#recent.push(read);
    this.#recentSize += read.batch.size;
    for (;;) {
      const [oldest] = this.#recent;
      if (!oldest || oldest === read) return;
      if (this.#recentSize <= MAX_RECENT_SIZE && oldest.readAt >= read.readAt - PARKED_MS) return;
      this.#recentSize -= oldest.batch.size;
      this.#recent.shift();
    }
  }

  /** The next poll of the queue reads the log and is authorized again. */
  #forget(parked: ParkedQueue): void {
    if (this.#parked.get(parked.queue.id) === parked) this.#parked.delete(parked.queue.id);
    parked.waiter?.finish('look again');
  }

  #dropChanged({ changed }: Batch): void {
    if (changed.size === 0) return;
    for (const parked of this.#parked.values()) {
      if ((changed.get(parked.reader.id) ?? 0) > parked.reader.version) this.#forget(parked);
    }
  }

  /** @param after position before the batch. Polls that waited at it only need the batch. */
  #deliver(after: number, batch: Batch | undefined): void {
    const waiting = [...this.#parked.values()].filter(({ waiter }) => waiter);
    const deliveries = batch && deliveriesOf(batch, waiting);
    for (const parked of waiting) {
      if (!this.#hasAllAfter(parked.seq)) {
        this.#forget(parked);
        continue;
      }
      const events = parked.seq < after ? this.#recentEvents(parked) : (deliveries?.get(parked) ?? []);
      if (events.length > 0) parked.waiter?.finish(this.#take(parked, events));
      else parked.seq = Math.max(parked.seq, this.#position);
    }
  }

  #recentEvents(parked: ParkedQueue): LoggedEvent[] {
    let first = this.#recent.length;
    for (let end = this.#position; first > 0 && end > parked.seq; end = this.#recent[first]?.after ?? 0) first--;
    return this.#recent.slice(first).flatMap(({ batch }) => deliveriesOf(batch, [parked]).get(parked) ?? []);
  }

  #take(parked: ParkedQueue, found: readonly LoggedEvent[]): Delivered {
    const events = found.slice(0, MAX_EVENTS_PER_ANSWER);
    parked.last = (events.at(-1) as LoggedEvent).seq;
    parked.seq = events.length < found.length ? parked.last : Math.max(parked.seq, this.#position);
    return { events, organization: this.organizations.newest as Organization };
  }

  #obeyNotices(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const notice = queueNotice(event);
      if (!notice) continue;
      if ('userIds' in notice) {
        const gone = new Set(notice.userIds);
        for (const parked of this.#parked.values()) if (gone.has(parked.reader.id)) this.#forget(parked);
      } else if (notice.holder !== this.id) {
        const parked = this.#parked.get(notice.queueId);
        if (!parked || event.seq <= parked.seq) continue;
        if (notice.holder !== null) parked.waiter?.supersede();
        this.#forget(parked);
      }
    }
  }
}
