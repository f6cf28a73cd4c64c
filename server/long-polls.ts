import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimitHit } from '../lib/index.ts';
import type { CancelListener, CancelSignal } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';
import { recordOf } from './request-record.ts';

/** Most queues with a waiting poll or a stream, at the same time. */
export interface QueueLimits {
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

/** The long polls and streams of a listener. Each ends when the client disconnects or the server closes. */
export class LongPolls {
  readonly #held = new Set<HeldPoll>();
  readonly #byUser = new QueueCounts<number>();
  readonly #byAddress = new QueueCounts<string>();
  readonly #byUserAtAddress = new QueueCounts<string>();
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
    const leave = this.#enter(queue);
    if (!leave) return Promise.reject(new RateLimitHit(RETRY_AFTER));
    const held = new HeldPoll();
    // Thousands of polls wait, and headers take much of their memory.
    if (this.options.ownsRequests && !authenticatesAgain) {
      req.headers = {};
      req.rawHeaders = [];
    }
    if (this.#released) held.end();
    this.#held.add(held);
    // Node emits 'close' once, also after a complete response.
    res.on('close', () => {
      this.#held.delete(held);
      leave();
      held.end();
    });
    const record = recordOf(req);
    return record ? record.waitFor(poll(held)) : poll(held);
  }

  /**
   * Counts a queue until you call the returned function. Undefined if there are too many: every message to an account
   * costs time for each of its queues. Refuses the new poll, because a client whose older poll ended would come again at
   * once. A poll of a queue that is counted already replaces the older one, whose client may have disconnected.
   */
  #enter({ queueId, userId, address }: HeldQueue): (() => void) | undefined {
    const { limits } = this.options;
    if (!limits) return () => undefined;
    const here = `${userId} ${address}`;
    const isFull =
      this.#byUser.isFull(userId, queueId, limits.byUser) ||
      (address !== '' &&
        this.#byAddress.isFull(address, queueId, limits.byAddress) &&
        this.#byUserAtAddress.isFull(here, queueId, QUEUES_AT_FULL_ADDRESS));
    if (isFull) return undefined;
    const leave = [
      this.#byUser.enter(userId, queueId),
      this.#byAddress.enter(address, queueId),
      this.#byUserAtAddress.enter(here, queueId),
    ];
    return () => {
      for (const leaveOne of leave) leaveOne();
    };
  }

  /** Ends all polls, also future polls. */
  release(): void {
    this.#released = true;
    for (const held of this.#held) held.end();
  }
}

/** The queues of each key, with the number of polls that hold them. */
class QueueCounts<K> {
  readonly #queues = new Map<K, Map<string, number>>();

  isFull(key: K, queueId: string, max: number): boolean {
    const queues = this.#queues.get(key);
    return queues !== undefined && queues.size >= max && !queues.has(queueId);
  }

  enter(key: K, queueId: string): () => void {
    const queues = this.#queues.get(key) ?? new Map<string, number>();
    this.#queues.set(key, queues);
    queues.set(queueId, (queues.get(queueId) ?? 0) + 1);
    return () => {
      const polls = (queues.get(queueId) ?? 0) - 1;
      if (polls > 0) queues.set(queueId, polls);
      else queues.delete(queueId);
      if (queues.size === 0 && this.#queues.get(key) === queues) this.#queues.delete(key);
    };
  }
}

/** The parts of an AbortSignal that a poll needs, at a tenth of the cost. */
class HeldPoll implements CancelSignal {
  aborted = false;
  #listener: CancelListener | undefined;

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
