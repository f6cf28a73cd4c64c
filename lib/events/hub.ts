import { randomUUID } from 'node:crypto';
import type { Logger } from '../adapters/logger.ts';
import type { LoggedEvent } from '../storage/interface/events.ts';
import type { Storage } from '../storage/interface/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type Batch, deliveriesOf, readBatch } from './batch.ts';
import { seqOf } from './event-encoder.ts';
import { MovedMessages } from './moved-messages.ts';
import type { OrganizationCache } from './organization-cache.ts';
import { ParkedQueues, type Seat } from './parked-queues.ts';
import { queueNotice } from './queue-notices.ts';
import { Alarm, type Delivered, type Patience, type Place, Waiter, type Wakeup } from './waiter.ts';

/**
 * Wakes the polls of this process. After a commit, in this or another process, it reads the new part of the log once
 * for all waiting polls.
 *
 * idle -> scheduled (a commit was noticed and polls wait) -> reading -> idle. A commit while reading leads to noticed,
 * which reads again. Polls that start waiting while it reads are in #late, since this batch does not include their
 * user. They join #waiting, or look at the log again, when the batch is delivered.
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
  /** Shared by all polls of this process. */
  readonly moved = new MovedMessages();
  #state: 'idle' | 'scheduled' | 'reading' | 'noticed' = 'idle';
  /** The log has been read up to this position for all polls in #waiting and for all seats. */
  #position = 0;
  /** All accounts in #waiting are current up to this version. */
  #usersVersion = -1;
  #commitCount = 0;
  /** Value of #commitCount at the last read of the log. */
  #readCount = 0;
  #isClosed = false;
  #rewinds = 0;
  readonly #waiting = new Map<string, Waiter>();
  readonly #late = new Map<string, Waiter>();
  readonly #seats = new ParkedQueues();
  readonly #listeners = new Set<() => void>();
  readonly #alarm = new Alarm((now) => this.#endWaits(now));

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
    readonly organizations: OrganizationCache,
  ) {}

  get waiting(): number {
    return this.#waiting.size + this.#late.size;
  }

  isWaiting(queueId: string): boolean {
    return this.#waiting.has(queueId) || this.#late.has(queueId);
  }

  get commitCount(): number {
    return this.#commitCount;
  }

  /** A seat with events needs all known commits to be read: one may have ended the account. */
  seatOf(queueId: string, lastEventId: number): Seat | undefined {
    const seat = this.#seats.of(queueId);
    if (!seat || this.#isClosed) return undefined;
    const acknowledged = seqOf(seat.queue, lastEventId);
    if (acknowledged < seat.last || acknowledged > seat.seq) return undefined;
    // The client may have received pending events by a read of the log.
    const kept = this.#seats.acknowledge(seat, acknowledged);
    return kept.pending.length > 0 && this.#hasUnread ? undefined : kept;
  }

  /** Takes the pending events of a seat. The seat remains. */
  take(seat: Seat): Delivered {
    const last = (seat.pending.at(-1) as LoggedEvent).seq;
    this.#seats.keep({ ...seat, last, pending: [], since: performance.now() });
    return { events: seat.pending, organization: seat.organization };
  }

  /**
   * Waits until an event after `seq` concerns the user, at most `milliseconds`. A newer poll of the same queue ends it.
   * `commitCount` is the value from before the caller read the log: it may have missed later commits. Absent: the poll
   * continues at its seat.
   */
  wait(place: Place, patience: Patience): Promise<Wakeup> {
    return new Promise((wake) => this.#park(place, patience, wake));
  }

  #park(place: Place, patience: Patience, wake: (wakeup: Wakeup) => void): void {
    // After `close`, commits are not noticed any more.
    if (this.#isClosed) throw new StorageError('The chat has been closed.', 'closed');
    const { id } = place.queue;
    this.supersede(id);
    if (patience.signal?.aborted) return wake('aborted');
    if (this.#waiting.size === 0 && !this.#isReading) this.#skipTo(place);
    if (this.#isBehind(place)) {
      this.#seats.leave(id);
      return wake('look again');
    }
    const waiter = new Waiter(place, patience, wake, this.#leave);
    if (this.#isReading) this.#late.set(id, waiter);
    else this.#admit(waiter);
    this.#alarm.set(waiter.until);
    if ((patience.commitCount ?? this.#readCount) !== this.#commitCount) this.#schedule();
  }

  readonly #leave = (waiter: Waiter): void => {
    const { id } = waiter.queue;
    if (this.#waiting.get(id) === waiter) this.#waiting.delete(id);
    else if (this.#late.get(id) === waiter) this.#late.delete(id);
    if (this.waiting === 0) this.#alarm.stop();
  };

  #endWaits(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const waiters of [this.#waiting, this.#late]) {
      for (const waiter of waiters.values()) {
        if (waiter.until <= now) waiter.finish('heartbeat');
        else next = Math.min(next, waiter.until);
      }
    }
    return next;
  }

  /** Ends the waiting poll of this queue in this process, if there is one. */
  supersede(queueId: string): void {
    (this.#waiting.get(queueId) ?? this.#late.get(queueId))?.finish('superseded');
  }

  /** Something may have been committed. */
  wake(): void {
    this.#commitCount++;
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

  get #hasUnread(): boolean {
    return this.#isReading || this.#commitCount !== this.#readCount;
  }

  #finishAll(wakeup: Wakeup): void {
    for (const waiter of [...this.#waiting.values(), ...this.#late.values()]) waiter.finish(wakeup);
  }

  /** Without waiting polls the log is not read, so a new poll may have read further. */
  #skipTo({ seq, usersVersion }: Pick<Waiter, 'seq' | 'usersVersion'>): void {
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
        this.#admitLate();
      } while (this.#state === 'noticed' && this.waiting > 0);
    } catch (error) {
      this.logger.error({ error }, 'reading the event log failed; waiting polls look again');
      this.#finishAll('look again');
    } finally {
      this.#state = 'idle';
    }
  }

  #admitLate(): void {
    for (const [queueId, waiter] of this.#late) {
      if (this.#isBehind(waiter)) waiter.finish('look again');
      else {
        this.#late.delete(queueId);
        this.#admit(waiter);
      }
    }
  }

  #admit(waiter: Waiter): void {
    this.#seats.leave(waiter.queue.id);
    this.#waiting.set(waiter.queue.id, waiter);
  }

  #isBehind(poll: Pick<Waiter, 'seq' | 'usersVersion'>): boolean {
    return poll.seq < this.#position || poll.usersVersion < this.#usersVersion;
  }

  async #readBatch(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const { organizations } = this;
    this.#seats.sweep();
    const followers: (Waiter | Seat)[] = [...this.#waiting.values(), ...this.#seats.all()];
    const commitCount = this.#commitCount;
    const rewinds = this.#rewinds;
    const place = { position: this.#position, usersVersion: this.#usersVersion, organizations };
    const batch = await this.storage.read((tx) => readBatch(tx, followers, place));
    this.#readCount = commitCount;
    if (rewinds !== this.#rewinds) {
      this.#finishAll('look again');
      return false;
    }
    if (!batch) return false;
    this.#position = batch.events.at(-1)?.seq ?? this.#position;
    this.#usersVersion = Math.max(this.#usersVersion, batch.usersVersion);
    organizations.keep(batch.organization);
    this.#dropChanged(batch);
    this.#obeyNotices(batch.events);
    this.#deliver(batch);
    return batch.more;
  }

  #dropChanged({ changed }: Batch): void {
    this.#seats.dropChanged(changed);
    if (changed.size === 0) return;
    for (const waiter of [...this.#waiting.values()]) {
      if ((changed.get(waiter.reader.id) ?? 0) > waiter.reader.version) waiter.finish('look again');
    }
  }

  #deliver(batch: Batch): void {
    const { organization } = batch;
    const place = { seq: this.#position, usersVersion: this.#usersVersion, organization };
    const seated = deliveriesOf(batch, this.#seats.all());
    this.#seats.advance(place, seated);
    const since = performance.now();
    for (const [waiter, events] of deliveriesOf(batch, this.#waiting.values())) {
      const { queue, reader, allPublic, accepts } = waiter;
      const last = (events.at(-1) as LoggedEvent).seq;
      this.#seats.keep({ queue, reader, allPublic, accepts, ...place, last, pending: [], since });
      waiter.finish({ events, organization });
    }
  }

  #obeyNotices(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const notice = queueNotice(event);
      if (!notice) continue;
      const finish = (waiter: Waiter | undefined, wakeup: Wakeup) => {
        if (waiter && event.seq > waiter.seq) waiter.finish(wakeup);
      };
      if ('userIds' in notice) {
        const gone = new Set(notice.userIds);
        for (const waiter of this.#waiting.values()) if (gone.has(waiter.reader.id)) finish(waiter, 'look again');
        for (const { queue, reader } of this.#seats.all()) if (gone.has(reader.id)) this.#seats.leave(queue.id);
      } else if (notice.holder !== this.id) {
        finish(this.#waiting.get(notice.queueId), notice.holder === null ? 'look again' : 'superseded');
        this.#seats.leave(notice.queueId);
      }
    }
  }
}
