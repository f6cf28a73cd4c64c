import type { Session } from '../../chat/session.ts';
import { retryAfter } from '../answer.ts';

/** Messages are marked as read in one request for all calls within this time, in milliseconds. */
const COLLECT_MS = 500;
const RETRY_MS = 5_000;
/** Messages of one request. */
const MESSAGES_PER_REQUEST = 1_000;

/** Tells the server which messages the user has read. */
export class ReadFlags {
  readonly #waiting = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;

  constructor(private readonly session: Session) {}

  add(ids: Iterable<number>): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.send(), COLLECT_MS);
  }

  /** Read here, and perhaps not yet on the server. */
  get waiting(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** Resolves after the last request, or a failed one. A later request sends what remains. */
  send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().then((pause) => {
      this.#sending = undefined;
      if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.send(), pause);
    });
    return this.#sending;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Returns after how many milliseconds to send again what remains. */
  async #sendAll(): Promise<number> {
    let size = MESSAGES_PER_REQUEST;
    while (this.#waiting.size > 0) {
      const messages = [...this.#waiting].slice(0, size);
      try {
        await this.session.messages.updateFlags({ op: 'add', flag: 'read', messages });
      } catch (error) {
        if (!isRefusal(error)) return Math.max(RETRY_MS, retryAfter(error));
        // One deleted or hidden message must not keep the others unread.
        size = Math.floor(messages.length / 2);
        if (size > 0) continue;
        size = MESSAGES_PER_REQUEST;
      }
      for (const id of messages) this.#waiting.delete(id);
    }
    return 0;
  }
}

const isRefusal = (error: unknown) => {
  const { status = 500 } = error as { status?: number };
  return status < 500 && status !== 429;
};
