import { isChatError } from '../base/errors.ts';
import { Unreachable } from './answer.ts';

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

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Waits before a retry after the server was unreachable, overloaded or rate-limiting.
 * @param patience milliseconds of failures after which it stops retrying
 */
export function recovery(patience: number, isClosed: () => boolean) {
  let failures = 0;
  let lastSince = 0;
  return async (error: unknown, since: number, signal: AbortSignal | undefined): Promise<boolean> => {
    if (!isPassing(error) || Date.now() - since >= patience) return false;
    failures = since === lastSince ? failures + 1 : 0;
    lastSince = since;
    const asked = isChatError(error) ? Number(error.data['retry-after'] ?? 0) * 1000 : 0;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.75 + Math.random() / 2);
    await wait(Math.max(asked, pause), isClosed, signal);
    return !signal?.aborted && !isClosed();
  };
}

/** Unreachable includes responses of a proxy whose server is down: they are not responses of this API. */
function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (isChatError(error) && (error.status >= 500 || error.status === 429));
}

/** Ends earlier if the browser is online again, on `signal`, or on `close`. */
async function wait(milliseconds: number, isClosed: () => boolean, signal: AbortSignal | undefined): Promise<void> {
  const network = globalThis as unknown as Partial<EventTarget>;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      clearInterval(closing);
      signal?.removeEventListener('abort', done);
      network.removeEventListener?.('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    const closing = setInterval(() => isClosed() && done(), 100);
    signal?.addEventListener('abort', done);
    network.addEventListener?.('online', done);
  });
}
