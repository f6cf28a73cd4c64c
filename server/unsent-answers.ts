import type { ServerResponse } from 'node:http';
import { RateLimitHit } from '../lib/index.ts';
import { groupBy } from '../lib/internal.ts';

/** Bytes. The system buffers take smaller responses immediately. */
export const LARGE_RESPONSE_BYTES = 256 * 1024;

/** Unread bytes per caller. A single response may be larger. */
const MAX_OF_ONE = 48 * 1024 * 1024;
/** Unread bytes of all callers. */
const MAX_IN_ALL = 512 * 1024 * 1024;
/** Milliseconds without any bytes read before the connection is cut. */
const INACTIVITY_TIMEOUT_MS = 30_000;
/** Seconds for the Retry-After header. */
const RETRY_AFTER = 5;

/**
 * Limits the memory for large responses that clients have not read. A caller that does not read must not use up the
 * memory for others. If the total is too large, the caller with the most unread bytes loses its oldest response.
 */
export class UnsentAnswers {
  /** Oldest first. */
  readonly #unsent = new Set<{ res: ServerResponse; caller: number | string; bytes: number }>();

  constructor(private readonly timeoutMs = INACTIVITY_TIMEOUT_MS) {}

  /** Unread bytes of all callers. */
  get total(): number {
    return sizeOf([...this.#unsent]);
  }

  /**
   * Counts a response until it is read or closed. Cuts the connection if the client stops reading.
   * @throws RateLimitHit if the caller has too many unread bytes, or if the total is too large and no caller has more
   * unread bytes
   */
  add(res: ServerResponse, caller: number | string, bytes: number): void {
    this.hold(res, caller, bytes);
    res.setTimeout(this.timeoutMs, () => res.destroy());
  }

  /** Like `add` for a part of a response, until the returned function is called. Its writer notices a client that stops. */
  hold(res: ServerResponse, caller: number | string, bytes: number): () => void {
    const own = sizeOf([...this.#unsent].filter((unsent) => unsent.caller === caller));
    if (own > 0 && own + bytes > MAX_OF_ONE) throw new RateLimitHit(RETRY_AFTER);
    while (this.#unsent.size > 0 && this.total + bytes > MAX_IN_ALL) this.#cutOff(own);
    const unsent = { res, caller, bytes };
    this.#unsent.add(unsent);
    const release = () => {
      this.#unsent.delete(unsent);
      res.off('close', release);
    };
    res.once('close', release);
    return release;
  }

  /** @param own unread bytes of the current caller. A caller with no more than that loses nothing. */
  #cutOff(own: number): void {
    const [most = []] = [...groupBy(this.#unsent, ({ caller }) => caller).values()].sort(
      (one, other) => sizeOf(other) - sizeOf(one),
    );
    const [oldest] = most;
    if (!oldest || sizeOf(most) <= own) throw new RateLimitHit(RETRY_AFTER);
    this.#unsent.delete(oldest);
    oldest.res.destroy();
  }
}

const sizeOf = (unsent: readonly { bytes: number }[]) => unsent.reduce((sum, { bytes }) => sum + bytes, 0);
