import type { CancelSignal } from '../base/cancel-signal.ts';
import { present } from '../base/present.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../storage/interface/events.ts';
import type { RecentLog, Recipient } from './batch.ts';

/** A queue as its reader has read it from the log, up to `seq`. */
export type QueueRead = Pick<Subscription, 'queue' | 'reader' | 'publicFeed' | 'seq' | 'usersVersion' | 'accepts'> & {
  readonly last: number;
  readonly commitCount: number;
};

export interface Delivered {
  readonly events: readonly LoggedEvent[];
  readonly organization: Organization;
}

/** `closed`: the reader must read the log. `superseded`: a newer reader has the queue, or the client has left. */
export type Received = Delivered | 'closed' | 'superseded' | 'heartbeat';

interface WaitOptions {
  /** 0: does not wait. */
  readonly milliseconds: number;
  readonly signal?: CancelSignal | undefined;
}

/** The parts of the hub that its subscriptions use. */
export interface Feed {
  readonly recent: RecentLog;
  /** Subscriptions with a waiting reader. */
  readonly live: Set<Subscription>;
  readonly organizations: { readonly newest: Organization | undefined };
  /** Whether the log may have events that `recent` lacks, for a reader who has read it at this number of commits. */
  mayHaveMore(commitCount: number): boolean;
  readSoon(): void;
}

const MAX_EVENTS_PER_ANSWER = 1_000;
/** Milliseconds. Two clients that poll the same queue would otherwise end each other's polls without a pause. */
const SUPERSEDED_MS = 1_000;

/**
 * The events of one queue, in the process that serves it. A stream takes batch after batch. A long poll takes one, and
 * the next poll finds the subscription by the ID of the queue.
 *
 *     reading the log -> idle <-> live
 *            ^             \       /
 *            +------------- closed
 *
 * - Reading the log: the caller reads the queue and its events in a transaction, which authorizes the caller
 *   (`lib/domains/events/queues/next-events.ts`). Then the hub opens the subscription where the read ended.
 * - Idle: no reader waits. It stays so for ten seconds after an answer. Batches pass: the next reader finds them in the
 *   recent log.
 * - Live: `next` has found no events, and its reader waits. A batch with events of the queue ends the wait, as do the
 *   heartbeat time, a newer reader and a client that leaves. A batch without them only moves the position.
 * - Closed: the ten seconds are over, or the account has changed, or the queue has gone, perhaps to another process. Or
 *   the recent log no longer has all events that the queue lacks. The reader reads the log again. All else has no effect.
 */
export class Subscription implements Recipient {
  queue: EventQueue;
  readonly reader: User;
  readonly publicFeed: PublicFeed;
  /** The reader has everything up to this position that concerns the queue. */
  seq: number;
  /** The account is current up to this version. */
  readonly usersVersion: number;
  readonly accepts: Recipient['accepts'];
  /** As in `performance.now()`. */
  idleSince = 0;
  /** Position of the newest event that the client has received or acknowledged. */
  #last: number;
  /** Number of commits before the read of the log, which may lack later ones. */
  readonly #commitCount: number;
  /** Undefined if it is closed. */
  #feed: Feed | undefined;
  #wake: ((received: Received) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #signal: CancelSignal | undefined;

  constructor(read: QueueRead) {
    this.queue = read.queue;
    this.reader = read.reader;
    this.publicFeed = read.publicFeed;
    this.seq = read.seq;
    this.usersVersion = read.usersVersion;
    this.accepts = read.accepts;
    this.#last = read.last;
    this.#commitCount = read.commitCount;
  }

  open(feed: Feed): void {
    this.#feed = feed;
    this.idleSince = performance.now();
  }

  close(received: 'closed' | 'superseded'): void {
    this.#end(received);
    this.#feed = undefined;
  }

  /** Whether a client that has received events up to this position can continue here. */
  continuesAt(last: number): boolean {
    const { seq } = this;
    const recent = this.#feed?.recent;
    if (!recent || last < this.#last || last > Math.max(recent.position, seq)) return false;
    return recent.hasAllAfter(Math.max(last, seq));
  }

  /**
   * The next events of the queue. Hands them out after a read of all known commits: one may have ended the account.
   * @param last position of the newest event that the client has received
   */
  next(last: number, { milliseconds, signal }: WaitOptions): Received | Promise<Received> {
    this.supersede();
    const feed = this.#feed;
    if (!feed || !this.continuesAt(last)) return 'closed';
    this.#last = last;
    // The client may have received events by a read of the log.
    this.seq = Math.max(this.seq, last);
    const mayHaveMore = feed.mayHaveMore(this.#commitCount);
    if (!mayHaveMore) {
      const events = feed.recent.eventsFor(this);
      if (events.length > 0) return this.#deliver(feed, events);
      this.seq = Math.max(this.seq, feed.recent.position);
    }
    if (milliseconds <= 0) return 'heartbeat';
    this.#timer = setTimeout(() => this.#end('heartbeat'), milliseconds);
    this.#signal = signal;
    signal?.addEventListener('abort', this);
    feed.live.add(this);
    if (mayHaveMore) feed.readSoon();
    return new Promise((wake) => {
      this.#wake = wake;
    });
  }

  /** Passes the events of the queue in a batch to the waiting reader. */
  receive(events: readonly LoggedEvent[] = []): void {
    const feed = this.#feed;
    if (feed && events.length > 0) this.#end(this.#deliver(feed, events));
    else if (feed) this.seq = Math.max(this.seq, feed.recent.position);
  }

  #deliver(feed: Feed, found: readonly LoggedEvent[]): Delivered {
    const events = found.slice(0, MAX_EVENTS_PER_ANSWER);
    this.#last = present(events.at(-1)).seq;
    this.seq = events.length < found.length ? this.#last : Math.max(this.seq, feed.recent.position);
    return { events, organization: present(feed.organizations.newest) };
  }

  /** A newer reader gets the events from now on. */
  supersede(): void {
    const wake = this.#leave();
    if (wake) setTimeout(wake, SUPERSEDED_MS, 'superseded');
  }

  /** The client of the reader has left. */
  handleEvent(): void {
    this.#end('superseded');
  }

  #end(received: Received): void {
    this.#leave()?.(received);
  }

  /** Live -> idle. Returns the function that wakes the reader. */
  #leave(): ((received: Received) => void) | undefined {
    const wake = this.#wake;
    if (!wake) return undefined;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    this.#wake = this.#timer = this.#signal = undefined;
    this.#feed?.live.delete(this);
    this.idleSince = performance.now();
    return wake;
  }
}
