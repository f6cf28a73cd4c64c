/** The running long polls. Closing the session aborts them. */
export class HeldPolls {
  areClosed = false;
  readonly #held = new Map<AbortController, Promise<unknown>>();

  /** Aborts the poll on `signal` or on `close`. */
  async hold<T>(poll: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (signal?.aborted || this.areClosed) abort();
    signal?.addEventListener('abort', abort);
    const held = poll(controller.signal);
    this.#held.set(controller, held);
    try {
      return await held;
    } finally {
      this.#held.delete(controller);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.areClosed = true;
    const held = [...this.#held];
    for (const [controller] of held) controller.abort();
    await Promise.allSettled(held.map(([, poll]) => poll));
    // Listeners that end now still delete their event queues.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
