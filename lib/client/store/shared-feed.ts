import type { QueuedEvent, QueuePlace, Session } from '../../chat/session.ts';
import { Feed, type FeedTarget, type Initial } from './feed.ts';
import type { Me, Status } from './types.ts';

/** What a store in another tab has. */
export interface SharedState {
  initial: Initial;
  me: Me;
}

/** A target that can also pass on its state. */
export interface SharingTarget extends FeedTarget {
  /** The state of now, as `reset` takes it. */
  dump(queue: QueuePlace): SharedState | undefined;
}

type Sent =
  | { type: 'hello'; from: string }
  | { type: 'state'; to?: string | undefined; state: SharedState; status: Status }
  | { type: 'events'; events: readonly QueuedEvent[] }
  | { type: 'status'; status: Status }
  | { type: 'retry' };

/** The parts of browsers that are used; Node has them as well. */
interface Locks {
  /** `ifAvailable`: runs without a lock if another one has it. */
  request(
    name: string,
    options: { signal?: AbortSignal; ifAvailable?: boolean },
    run: (lock: object | null) => unknown,
  ): Promise<void>;
}

/** Undefined in old browsers, and in pages without HTTPS. Where there are locks, there is `BroadcastChannel`. */
export const browserLocks = () => (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks;

/** Without a state from the leader within this time, in milliseconds, a tab reads its own queue. */
const HELLO_MS = 3_000;

/**
 * One queue for all tabs of a browser: HTTP/1.1 allows six connections to a server. States: `following`, with the events
 * of the tab that leads -> `leading`, when this tab gets the lock -> stopped. A tab that takes over continues with the
 * same queue: the leader passes events on before it acknowledges them.
 */
export class SharedFeed implements FeedTarget {
  readonly #id = crypto.randomUUID();
  readonly #channel: BroadcastChannel;
  readonly #ending = new AbortController();
  #feed: Feed | undefined;
  #isLeading = false;
  #queue: QueuePlace | undefined;
  #status: Status = { state: 'starting' };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: Session,
    private readonly target: SharingTarget,
    private readonly name: string,
  ) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => this.#receive(data as Sent);
  }

  async run(): Promise<void> {
    this.#send({ type: 'hello', from: this.#id });
    this.#timer = setTimeout(() => this.#readAlone(), HELLO_MS);
    const { signal } = this.#ending;
    await browserLocks()
      ?.request(this.name, { signal }, () => this.#lead())
      .catch(() => undefined);
  }

  retryNow(): void {
    if (this.#feed) this.#feed.retryNow();
    else this.#send({ type: 'retry' });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#feed?.stop({ keepsQueue: this.#isLeading });
    this.#channel.close();
  }

  reset(initial: Initial, me: Me): void {
    this.#queue = { queue_id: initial.queue_id, last_event_id: initial.last_event_id };
    this.target.reset(initial, me);
    if (this.#isLeading) this.#send({ type: 'state', state: { initial, me }, status: this.#status });
  }

  apply(events: readonly QueuedEvent[]): void {
    const last = this.#queue?.last_event_id ?? -1;
    const fresh = events.filter(({ id }) => id > last);
    if (fresh.length === 0) return;
    this.target.apply(fresh);
    if (this.#queue) this.#queue.last_event_id = fresh.at(-1)?.id ?? last;
    if (this.#isLeading) this.#send({ type: 'events', events: fresh });
  }

  setStatus(status: Status): void {
    this.#status = status;
    this.target.setStatus(status);
    if (this.#isLeading) this.#send({ type: 'status', status });
  }

  async #lead(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    this.#isLeading = true;
    // A tab that read alone goes on with its own queue.
    if (this.#feed) this.#passOn();
    else this.#read(this.#queue);
    await new Promise<void>((resolve) => this.#ending.signal.addEventListener('abort', () => resolve()));
  }

  /** The leader does not answer. */
  #readAlone(): void {
    if (!this.#ending.signal.aborted && !this.#feed) this.#read();
  }

  #read(queue?: QueuePlace): void {
    this.#feed = new Feed(this.session, this);
    void this.#feed.run(queue);
  }

  #receive(sent: Sent): void {
    if (this.#isLeading) {
      if (sent.type === 'hello') this.#passOn(sent.from);
      if (sent.type === 'retry') this.#feed?.retryNow();
      return;
    }
    // A tab that reads alone keeps its queue.
    if (this.#feed) return;
    if (sent.type === 'state' && (sent.to === undefined || sent.to === this.#id)) {
      clearTimeout(this.#timer);
      this.reset(sent.state.initial, sent.state.me);
      this.setStatus(sent.status);
    } else if (sent.type === 'events' && this.#queue) this.apply(sent.events);
    else if (sent.type === 'status' && this.#queue) this.setStatus(sent.status);
  }

  #passOn(to?: string): void {
    const state = this.#queue && this.target.dump(this.#queue);
    if (state) this.#send({ type: 'state', to, state, status: this.#status });
  }

  #send(sent: Sent): void {
    // Errors are copied without their own fields, which no tab needs.
    this.#channel.postMessage(sent);
  }
}
