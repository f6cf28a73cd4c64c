import type { ServerResponse } from 'node:http';

/** The long polls held by one listener: each ends when its caller goes away or the server closes. */
export class Polls {
  readonly #held = new Set<AbortController>();
  #released = false;

  /** Runs a poll with a signal that says when nobody waits for it any more. */
  hold<T>(res: ServerResponse, poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
