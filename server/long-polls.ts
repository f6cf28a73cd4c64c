import type { Departure, DepartureListener } from '../lib/internal.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { recordOf } from './request-record.ts';

const NO_HEADERS = Object.freeze({});
const NO_RAW_HEADERS: string[] = [];

/** The long polls held by one listener: each ends when its caller goes away or the server closes. */
export class LongPolls {
  readonly #held = new Set<HeldPoll>();
  readonly #ownsRequests: boolean;
  #released = false;

  /** @param ownsRequests nobody but this listener sees the requests, so what has been read of them may be dropped */
  constructor(ownsRequests: boolean) {
    this.#ownsRequests = ownsRequests;
  }

  /** Runs a poll with what says when nobody waits for it any more. */
  hold<T>(req: ServerRequest, res: ServerAnswer, poll: (departure: Departure) => Promise<T>): Promise<T> {
    const held = new HeldPoll();
    this.add(held, req, res);
    const record = recordOf(req);
    if (!record) return poll(held);
    record.beginWaiting();
    return poll(held).finally(() => record.endWaiting());
  }

  /** Holds a poll until its answer is closed, however that comes. */
  add(held: HeldPoll, req: ServerRequest, res: ServerAnswer): void {
    // Thousands of polls wait at a time; headers are a good part of what each of them holds.
    if (this.#ownsRequests) {
      req.headers = NO_HEADERS;
      req.rawHeaders = NO_RAW_HEADERS;
    }
    if (this.#released) held.end();
    this.#held.add(held);
    // Node emits 'close' once, also when it has been answered.
    res.on('close', () => {
      this.#held.delete(held);
      held.end();
    });
  }

  /** Lets every poll go, also those that come later. */
  release(): void {
    this.#released = true;
    for (const held of this.#held) held.end();
  }
}

/** As much of an AbortSignal as a poll needs, at a tenth of its cost. */
export class HeldPoll implements Departure {
  aborted = false;
  #listener: DepartureListener | undefined;

  addEventListener(_: 'abort', listener: DepartureListener): void {
    this.#listener = listener;
  }

  removeEventListener(_: 'abort', listener: DepartureListener): void {
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
