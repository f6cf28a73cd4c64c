import { randomUUID } from 'node:crypto';
import type { Logger } from '../adapters/logger.ts';
import type { Organization } from '../model/organization.ts';
import type { LoggedEvent } from '../storage/interface/events.ts';
import type { Storage } from '../storage/interface/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type Batch, deliveriesOf, readBatch } from './batch.ts';
import { seqOf } from './event-encoder.ts';
import type { OrganizationCache } from './organization-cache.ts';
import { queueNotice } from './queue-notices.ts';
import { type Delivered, type Patience, type Place, Waiter, type Wakeup } from './waiter.ts';

/** The place of a recently answered poll. The next poll of the queue continues there without reading the log. */
export interface Seat extends Place {
  readonly organization: Organization;
  /** Position of the newest event that the client has received or acknowledged. */
  readonly last: number;
  readonly pending: readonly LoggedEvent[];
  /** Time of the last poll (`performance.now()`). */
  readonly since: number;
}

const SEAT_KEPT_MS = 10_000;
/** Events that a seat collects. A client with more reads the log. */
const MAX_PENDING = 50;
const MAX_SEATS = 50_000;

/**
 * Wakes the polls of this process. After a commit, in this or another process, it reads the new part of the log once
 * for all waiting polls.
 *
 * idle -> scheduled (a commit was noticed and polls wait) -> reading -> idle. A commit while reading leads to noticed,
 * which reads again. The batch lacks the users of polls that start waiting during the read. They look at the log
 * again if it has events that they have not searched.
 *
 * Each batch has the versions of its snapshot. A poll whose account has changed looks at the log again, and its caller
 * is authorized again. The others continue.
 *
 * An answered poll leaves a seat for the next one, which takes it without a statement. Seats receive each batch like
 * waiting polls. A seat ends when its account changes or its queue ends.
 */
export class EventHub {
  /** ID of this process, stored with queues whose polls wait here. */
  readonly id = randomUUID();
  #state: 'idle' | 'scheduled' | 'reading' | 'noticed' = 'idle';
  /** The log has been read up to this position for all polls in #waiting and for all seats. */
  #position = 0;
  /** All accounts in #waiting are current up to this version. */
  #usersVersion = -1;
  commitCount = 0;
  /** Value of commitCount at the last read of the log. */
  #readCount = 0;
  #isClosed = false;
  #rewinds = 0;
  readonly #waiting = new Map<string, Waiter>();
  readonly #seats = new Map<string, Seat>();
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
    readonly organizations: OrganizationCache,
  ) {}

  get waiting(): number {
    return this.#waiting.size;
  }

  /** A seat with events needs all known commits to be read: one may have ended the account. */
  seatOf(queueId: string, lastEventId: number): Seat | undefined {
    const seat = this.#seats.get(queueId);
    if (!seat || this.#isClosed) return undefined;
    const last = seqOf(seat.queue, lastEventId);
    if (last < seat.last || last > seat.seq) return undefined;
    // The client may have received pending events by a read of the log.
    const kept = { ...seat, last, pending: seat.pending.filter((event) => event.seq > last) };
    this.#seats.set(queueId, kept);
    const hasUnread = this.#isReading || this.commitCount !== this.#readCount;
    return kept.pending.length > 0 && hasUnread ? undefined : kept;
  }

  /** Takes the pending events of a seat. The seat remains. */
  take(seat: Seat): Delivered {
    const last = (seat.pending.at(-1) as LoggedEvent).seq;
    this.#keepSeat({ ...seat, last, pending: [], since: performance.now() });
    return { events: seat.pending, organization: seat.organization };
  }

  /**
   * Waits until an event after `seq` concerns the user, at most `milliseconds`. A newer poll of the same queue ends it.
   * `commitCount` is the value from before the caller read the log: it may have missed later commits. Absent: the poll
   * continues at its seat.
   */
  wait(place: Place, patience: Patience): Promise<Wakeup> {
    return new Promise((wake) => {
      // After `close`, commits are not noticed any more.
      if (this.#isClosed) throw new StorageError('The chat has been closed.', 'closed');
      const { id } = place.queue;
      this.supersede(id);
      if (patience.signal?.aborted) return wake('aborted');
      if (this.#waiting.size === 0 && !this.#isReading) this.#skipTo(place);
      this.#seats.delete(id);
      if (this.#isBehind(place)) return wake('look again');
      this.#waiting.set(id, new Waiter(place, patience, wake, this.#leave));
      if ((patience.commitCount ?? this.#readCount) !== this.commitCount) this.#schedule();
    });
  }

  readonly #leave = (waiter: Waiter): void => {
    const { id } = waiter.place.queue;
    if (this.#waiting.get(id) === waiter) this.#waiting.delete(id);
  };

  #keepSeat(seat: Seat): void {
    if (this.#seats.size >= MAX_SEATS) this.#seats.clear();
    this.#seats.set(seat.queue.id, seat);
  }

  /** Ends the waiting poll of this queue in this process, if there is one. */
  supersede(queueId: string): void {
    this.#waiting.get(queueId)?.finish('superseded');
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
    this.#position = 0;
    this.#usersVersion = -1;
    this.#seats.clear();
    this.#finishAll('look again');
  }

  close(): void {
    this.#isClosed = true;
    this.#finishAll('superseded');
    this.#seats.clear();
  }

  get #isReading(): boolean {
    return this.#state === 'reading' || this.#state === 'noticed';
  }

  #finishAll(wakeup: Wakeup): void {
    for (const waiter of this.#waiting.values()) waiter.finish(wakeup);
  }

  /** Without waiting polls the log is not read, so a new poll may have read further. */
  #skipTo({ seq, usersVersion }: Place): void {
    if (seq > this.#position || usersVersion > this.#usersVersion) this.#seats.clear();
    this.#position = Math.max(this.#position, seq);
    this.#usersVersion = Math.max(this.#usersVersion, usersVersion);
  }

  #schedule(): void {
    if (this.#isReading) this.#state = 'noticed';
    if (this.#state !== 'idle' || this.waiting === 0) return;
    this.#state = 'scheduled';
    setImmediate(() => void this.#read());
  }

  async #read(): Promise<void> {
    try {
      do {
        this.#state = 'reading';
        if (await this.#readBatch()) this.#state = 'noticed';
      } while (this.#state === 'noticed' && this.waiting > 0);
    } catch (error) {
      this.logger.error({ error }, 'reading the event log failed; waiting polls look again');
      this.#finishAll('look again');
    } finally {
      this.#state = 'idle';
    }
  }

  #isBehind({ seq, usersVersion }: Place): boolean {
    return seq < this.#position || usersVersion < this.#usersVersion;
  }

  async #readBatch(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const oldest = performance.now() - SEAT_KEPT_MS;
    for (const [queueId, { since }] of this.#seats) if (since < oldest) this.#seats.delete(queueId);
    const waiting = new Set(this.#waiting.values());
    const userIds = [...new Set(this.#places().map(({ reader }) => reader.id))];
    const { commitCount, organizations } = this;
    const rewinds = this.#rewinds;
    const progress = { position: this.#position, usersVersion: this.#usersVersion };
    const batch = await this.storage.read((tx) => readBatch(tx, userIds, organizations, progress));
    this.#readCount = commitCount;
    if (rewinds !== this.#rewinds) {
      this.#finishAll('look again');
      return false;
    }
    if (!batch) return false;
    this.#position = batch.events.at(-1)?.seq ?? this.#position;
    this.#usersVersion = Math.max(this.#usersVersion, batch.usersVersion);
    organizations.keep(batch.organization);
    for (const waiter of this.#waiting.values()) {
      if (!waiting.has(waiter) && this.#isBehind(waiter.place)) waiter.finish('look again');
    }
    this.#dropChanged(batch);
    this.#obeyNotices(batch.events);
    this.#deliver(batch);
    return batch.more;
  }

  #dropChanged({ changed }: Batch): void {
    if (changed.size === 0) return;
    const hasChanged = ({ reader }: Place) => (changed.get(reader.id) ?? 0) > reader.version;
    for (const waiter of this.#waiting.values()) if (hasChanged(waiter.place)) waiter.finish('look again');
    for (const [queueId, seat] of this.#seats) if (hasChanged(seat)) this.#seats.delete(queueId);
  }

  #places(): Place[] {
    return [...this.#seats.values(), ...[...this.#waiting.values()].map(({ place }) => place)];
  }

  #deliver(batch: Batch): void {
    const { organization } = batch;
    const progress = { seq: this.#position, usersVersion: this.#usersVersion, organization };
    const deliveries = deliveriesOf(batch, this.#places());
    for (const [queueId, seat] of this.#seats) {
      const pending = [...seat.pending, ...(deliveries.get(seat) ?? [])];
      if (pending.length > MAX_PENDING) this.#seats.delete(queueId);
      else this.#seats.set(queueId, { ...seat, ...progress, pending });
    }
    const since = performance.now();
    for (const waiter of this.#waiting.values()) {
      const events = deliveries.get(waiter.place);
      if (!events) continue;
      const last = (events.at(-1) as LoggedEvent).seq;
      this.#keepSeat({ ...waiter.place, ...progress, last, pending: [], since });
      waiter.finish({ events, organization });
    }
  }

  #obeyNotices(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const notice = queueNotice(event);
      if (!notice) continue;
      const finish = (waiter: Waiter | undefined, wakeup: Wakeup) => {
        if (waiter && event.seq > waiter.place.seq) waiter.finish(wakeup);
      };
      if ('userIds' in notice) {
        const gone = new Set(notice.userIds);
        for (const waiter of this.#waiting.values()) if (gone.has(waiter.place.reader.id)) finish(waiter, 'look again');
        for (const [queueId, { reader }] of this.#seats) if (gone.has(reader.id)) this.#seats.delete(queueId);
      } else if (notice.holder !== this.id) {
        finish(this.#waiting.get(notice.queueId), notice.holder === null ? 'look again' : 'superseded');
        this.#seats.delete(notice.queueId);
      }
    }
  }
}
