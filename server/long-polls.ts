import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelListener, CancelSignal } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';
import { recordOf } from './request-record.ts';

/** The long polls of a listener. Each ends when the client disconnects or the server closes. */
export class LongPolls {
  readonly #held = new Set<HeldPoll>();
  #released = false;

  /** @param options `ownsRequests`: whether only this listener uses the requests, so that it may drop their headers */
  constructor(private readonly options: { ownsRequests: boolean }) {}

  /**
   * Runs a poll. Its argument signals when the client is gone. `authenticatesAgain`: it still needs the headers.
   * @throws ClientGone without running it
   */
  hold<T>(
    req: IncomingMessage,
    res: ServerResponse,
    poll: (signal: CancelSignal) => Promise<T>,
    { authenticatesAgain = false } = {},
  ): Promise<T> {
    // Node does not emit 'close' again. The poll would wait without a client, and end the next poll of its queue.
    if (res.destroyed) return Promise.reject(new ClientGone());
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
      held.end();
    });
    const record = recordOf(req);
    return record ? record.waitFor(poll(held)) : poll(held);
  }

  /** Ends all polls, also future polls. */
  release(): void {
    this.#released = true;
    for (const held of this.#held) held.end();
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
