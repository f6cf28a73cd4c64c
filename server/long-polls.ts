import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimitHit } from '../lib/index.ts';
import type { CancelListener, CancelSignal } from '../lib/internal.ts';
import { ClientGone } from './body.ts';
import { recordOf } from './request-record.ts';

/** Most queues with a waiting poll or a stream, at the same time. */
interface QueueLimits {
  byUser: number;
  byAddress: number;
}

/** The queue of a poll, and who waits for it. An empty address is unknown. */
export interface HeldQueue {
  queueId: string;
  userId: number;
  address: string;
}

/** Queues that an account may have at a full address, so that no user can take all places of an office. */
const QUEUES_AT_FULL_ADDRESS = 3;

/** Seconds for the Retry-After header. */
const RETRY_AFTER = 10;

const NO_HEADERS = {};
const NO_RAW_HEADERS: string[] = [];

/** The long polls and streams of a listener. Each ends when the client disconnects or the server closes. */
export class LongPolls {
  /** By queue ID. */
  readonly #held = new Map<string, readonly HeldPoll[]>();
  /** Number of queues by account and by address. */
  readonly #queues = new Map<number | string, number>();
  #released = false;

  /**
   * @param options `ownsRequests`: whether only this listener uses the requests, so that it may drop their headers;
   *   `limits`: undefined without limits
   */
  constructor(private readonly options: { ownsRequests: boolean; limits?: QueueLimits | undefined }) {}

  /**
   * Runs a poll. Its argument signals when the client disconnects. `authenticatesAgain`: it still needs the headers.
   * @throws ClientGone or RateLimitHit without running it
   */
  hold<T>(
    req: IncomingMessage,
    res: ServerResponse,
    poll: (signal: CancelSignal) => Promise<T>,
    { queue, authenticatesAgain = false }: { queue: HeldQueue; authenticatesAgain?: boolean },
  ): Promise<T> {
    // Node does not emit 'close' again. The poll would wait without a client, and end the next poll of its queue.
    if (res.destroyed) return Promise.reject(new ClientGone());
    if (this.#isFull(queue)) return Promise.reject(new RateLimitHit(RETRY_AFTER));
    const held = new HeldPoll(queue);
    // Thousands of polls wait, and headers take much of their memory.
    if (this.options.ownsRequests && !authenticatesAgain) {
      req.headers = NO_HEADERS;
      req.rawHeaders = NO_RAW_HEADERS;
    }
    if (this.#released) held.end();
    this.#add(held);
    // Node emits 'close' once, also after a complete response.
    res.on('close', () => {
      this.#remove(held);
      held.end();
    });
    const record = recordOf(req);
    return record ? record.waitFor(poll(held)) : poll(held);
  }

  /**
   * Whether there are too many queues: every message to an account costs time for each of its queues. Refuses the new
   * poll, because a client whose older poll ended would come again at once. A poll of a queue that is counted already
   * replaces the older one, whose client may have disconnected.
   */
  #isFull({ queueId, userId, address }: HeldQueue): boolean {
    const { limits } = this.options;
    if (!limits) return false;
    const held = this.#held.get(queueId) ?? [];
    const queuesOf = (key: number | string) => this.#queues.get(key) ?? 0;
    if (queuesOf(userId) >= limits.byUser && !held.some(isOfUser(userId))) return true;
    if (address === '' || queuesOf(address) < limits.byAddress || held.some(isAt(address))) return false;
    const own = [...this.#held.values()].filter((polls) =>
      polls.some((one) => isOfUser(userId)(one) && isAt(address)(one)),
    );
    return own.length >= QUEUES_AT_FULL_ADDRESS;
  }

  #add(held: HeldPoll): void {
    const others = this.#held.get(held.queue.queueId);
    this.#count(held.queue, others, 1);
    this.#held.set(held.queue.queueId, others ? [...others, held] : [held]);
  }

  #remove(held: HeldPoll): void {
    const { queueId } = held.queue;
    const others = this.#held.get(queueId)?.filter((other) => other !== held);
    this.#count(held.queue, others, -1);
    if (others && others.length > 0) this.#held.set(queueId, others);
    else this.#held.delete(queueId);
  }

  /** @param others polls of the same queue, which count it already */
  #count({ userId, address }: HeldQueue, others: readonly HeldPoll[] | undefined, change: 1 | -1): void {
    if (!others?.some(isOfUser(userId))) addTo(this.#queues, userId, change);
    if (!others?.some(isAt(address))) addTo(this.#queues, address, change);
  }

  /** Ends all polls, also future polls. */
  release(): void {
    this.#released = true;
    for (const polls of this.#held.values()) for (const held of polls) held.end();
  }
}

const isOfUser = (userId: number) => (held: HeldPoll) => held.queue.userId === userId;
const isAt = (address: string) => (held: HeldPoll) => held.queue.address === address;

/** Keeps only counts above 0. */
function addTo<K>(counts: Map<K, number>, key: K, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** The parts of an AbortSignal that a poll needs, at a tenth of the cost. */
class HeldPoll implements CancelSignal {
  aborted = false;
  #listener: CancelListener | undefined;

  constructor(readonly queue: HeldQueue) {}

  addEventListener(_: 'abort', listener: CancelListener): void {
    this.#listener = listener;
  }

  removeEventListener(_: 'abort', listener: CancelListener): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listener = this.#listener;
    if (typeof listener === 'function') listener();
    else listener?.handleEvent();
  }
}
