import type { CancelSignal } from '../base/cancel-signal.ts';

/**
 * Shares a few places among accounts in turn. The account whose last turn is the longest ago is next. An account has one
 * place at a time, also if others are free.
 */
export class RoundRobin {
  /** Accounts that wait or work, with their waiting work. Those that have had their turn are last. */
  readonly #lines = new Map<number | string, Set<() => void>>();
  readonly #working = new Set<number | string>();

  constructor(private readonly places: number) {}

  /** @param signal aborted when the client is gone. Its work is then not begun */
  async run<T>(account: number | string, work: () => Promise<T>, signal?: CancelSignal): Promise<T> {
    if (signal?.aborted) throw clientGone();
    await this.#enter(account, signal);
    try {
      return await work();
    } finally {
      this.#working.delete(account);
      const line = this.#lines.get(account);
      this.#lines.delete(account);
      if (line && line.size > 0) this.#lines.set(account, line);
      this.#admit();
    }
  }

  #enter(account: number | string, signal: CancelSignal | undefined): Promise<void> {
    const line = this.#lines.get(account) ?? new Set();
    this.#lines.set(account, line);
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(begin);
        signal?.removeEventListener('abort', gone);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const gone = () => {
        leave();
        if (line.size === 0 && !this.#working.has(account)) this.#lines.delete(account);
        reject(clientGone());
      };
      line.add(begin);
      signal?.addEventListener('abort', gone);
      this.#admit();
    });
  }

  #admit(): void {
    for (const [account, [first]] of this.#lines) {
      if (this.#working.size >= this.places) return;
      if (!first || this.#working.has(account)) continue;
      this.#working.add(account);
      first();
    }
  }
}

const clientGone = () => new Error('The client no longer waits for the response.');
