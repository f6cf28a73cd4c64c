import type { CancelSignal } from '../base/cancel-signal.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../storage/interface/events.ts';
import type { Recipient } from './batch.ts';
import type { RecentLog } from './recent-log.ts';

/** A queue that its reader has read from the log. */
export interface QueueRead extends Recipient {
  readonly queue: EventQueue;
  /** The account is current up to this version. */
  readonly usersVersion: number;
  /** Position of the newest event that the client has received or acknowledged. */
  readonly last: number;
  /** The value from before the read: it may have missed later commits. */
  readonly commitCount: number;
}

export interface Delivered {
  readonly events: readonly LoggedEvent[];
  readonly organization: Organization;
}

/** `closed`: the reader must read the log. `superseded`: a newer reader has the queue, or the client is gone. */
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

/**
 * The events of one queue, in the process that serves it. A stream takes batch after batch. A long poll takes one, and
 * the next poll finds the subscription by the ID of the queue.
 *
 *     reading the log -> idle <-> live
 *            ^             \       /
 *            +------------- closed
 *
 * - Reading the log: the caller reads the queue and its events in a transaction, which authorizes the caller
 *   (`lib/domains/events/queues/next-events.ts`). Then the hub opens the subscription at the end of what was read.
 * - Idle: no reader waits. It stays so for ten seconds after an answer. Batches pass: the next reader finds them in the
 *   recent log.
 * - Live: `next` has found no events, and its reader waits. A batch with events of the queue ends the wait, as do the
 *   heartbeat time, a newer reader and the end of the client. A batch without them only moves the position.
 * - Closed: the ten seconds are over, the account has changed, the queue was deleted or moved to another process, or the
 *   recent log has lost events that the queue lacks. The reader reads the log again. Everything else is ignored.
 */
export class Subscription implements Recipient {
  queue: EventQueue;
  readonly reader: User;
  readonly usersVersion: number;
  readonly publicFeed: PublicFeed;
  readonly accepts: Recipient['accepts'];
  /** Everything up to this position was delivered, or does not concern the queue. */
  seq: number;
  #last: number;
  #commitCount: number;
  /** As in `performance.now()`. */
  idleSince = performance.now();
  #wait: Wait | undefined;
  #isClosed = false;

  constructor(
    private readonly feed: Feed,
    read: QueueRead,
  ) {
    this.queue = read.queue;
    this.reader = read.reader;
    this.usersVersion = read.usersVersion;
    this.publicFeed = read.publicFeed;
    this.accepts = read.accepts;
    this.seq = read.seq;
    this.#last = read.last;
    this.#commitCount = read.commitCount;
  }

  get isLive(): boolean {
    return this.#wait !== undefined;
  }

  /** Continues at a later position that the same account has read. False if it cannot. */
  moveTo({ queue, reader, seq, last, commitCount }: QueueRead): boolean {
    if (this.reader.version !== reader.version || this.seq > seq) return false;
    this.queue = queue;
    this.seq = seq;
    this.#last = last;
    this.#commitCount = commitCount;
    return true;
  }

  /** Whether a client that has received events up to this position can continue here. */
  continuesAt(last: number): boolean {
    const { feed, seq } = this;
    if (this.#isClosed || last < this.#last || last > Math.max(feed.recent.position, seq)) return false;
    return feed.recent.hasAllAfter(Math.max(last, seq));
  }

  /**
   * The next events of the queue. Hands them out after a read of all known commits: one may have ended the account.
   * @param last position of the newest event that the client has received
   */
  async next(last: number, options: WaitOptions): Promise<Received> {
    this.supersede();
    if (!this.continuesAt(last)) return 'closed';
    this.#last = last;
    // The client may have received events by a read of the log.
    this.seq = Math.max(this.seq, last);
    const mayHaveMore = this.feed.mayHaveMore(this.#commitCount);
    if (!mayHaveMore) {
      const events = this.feed.recent.eventsFor(this);
      if (events.length > 0) return this.#take(events);
      this.seq = Math.max(this.seq, this.feed.recent.position);
    }
    if (options.milliseconds <= 0) return 'heartbeat';
    const received = new Promise<Received>((wake) => {
      this.#wait = new Wait(this, wake, options);
    });
    this.feed.live.add(this);
    if (mayHaveMore) this.feed.readSoon();
    return received;
  }

  /** Passes the events of the queue in a batch to the waiting reader. */
  receive(events: readonly LoggedEvent[] = []): void {
    if (events.length > 0) this.#wait?.end(this.#take(events));
    else this.seq = Math.max(this.seq, this.feed.recent.position);
  }

  #take(found: readonly LoggedEvent[]): Delivered {
    const events = found.slice(0, MAX_EVENTS_PER_ANSWER);
    this.#last = (events.at(-1) as LoggedEvent).seq;
    this.seq = events.length < found.length ? this.#last : Math.max(this.seq, this.feed.recent.position);
    return { events, organization: this.feed.organizations.newest as Organization };
  }

  /** A newer reader gets the events from now on. */
  supersede(): void {
    this.#wait?.supersede();
  }

  close(received: 'closed' | 'superseded'): void {
    this.#isClosed = true;
    this.#wait?.end(received);
  }

  /** Called by a wait that has ended. */
  leave(wait: Wait): void {
    if (this.#wait !== wait) return;
    this.#wait = undefined;
    this.idleSince = performance.now();
    this.feed.live.delete(this);
  }
}

/** Milliseconds. Two clients that poll the same queue would otherwise end each other's polls without a pause. */
const SUPERSEDED_MS = 1_000;

/** The wait of a reader. Keep it small: there are thousands, and every event creates new ones. */
class Wait {
  #wake: ((received: Received) => void) | undefined;
  #signal: CancelSignal | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly subscription: Subscription,
    wake: (received: Received) => void,
    { milliseconds, signal }: WaitOptions,
  ) {
    this.#wake = wake;
    this.#timer = setTimeout(() => this.end('heartbeat'), milliseconds);
    this.#signal = signal;
    signal?.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.end('superseded');
  }

  supersede(): void {
    clearTimeout(this.#timer);
    this.subscription.leave(this);
    this.#timer = setTimeout(() => this.end('superseded'), SUPERSEDED_MS);
  }

  /**
   * Clears its references. Until a full garbage collection, an old unreachable object keeps everything that it refers
   * to. With thousands of polls, this would double their memory.
   */
  end(received: Received): void {
    const wake = this.#wake;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    this.subscription.leave(this);
    this.#wake = this.#signal = undefined;
    wake?.(received);
  }
}
