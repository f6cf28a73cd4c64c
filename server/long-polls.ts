import type { IncomingMessage, ServerResponse } from 'node:http';

/** The long polls held by one listener: each ends when its caller goes away or the server closes. */
export class LongPolls {
  readonly #held = new Set<AbortController>();
  readonly #ownsRequests: boolean;
  #released = false;

  /** @param ownsRequests nobody but this listener sees the requests, so what has been read of them may be dropped */
  constructor(ownsRequests: boolean) {
    this.#ownsRequests = ownsRequests;
  }

  /** Runs a poll with a signal that says when nobody waits for it any more. */
  hold<T>(req: IncomingMessage, res: ServerResponse, poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // Thousands of polls wait at a time; headers are a good part of what each of them holds.
    if (this.#ownsRequests) {
      req.headers = {};
      req.rawHeaders = [];
    }
    const controller = new AbortController();
    if (this.#released) controller.abort();
    this.#held.add(controller);
    const abort = () => controller.abort();
    res.once('close', abort);
    return poll(controller.signal).finally(() => {
      this.#held.delete(controller);
      res.off('close', abort);
    });
  }

  /** Lets every poll go, also those that come later. */
  release(): void {
    this.#released = true;
    for (const controller of this.#held) controller.abort();
  }
}
