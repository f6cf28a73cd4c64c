import type { Departure } from '../delivery/waiter.ts';
import type { Caller, ScanTerms } from './callers.ts';

/** The client is gone. */
class Left extends Error {
  constructor() {
    super('The client no longer waits for the response.');
  }
}

interface Waiting {
  begin(): void;
  leave(reason: unknown): void;
}

/**
 * The queue for scans. Each caller has one running scan, so that many scans of one caller do not block others. Callers
 * take turns.
 */
export class ScanScheduler {
  #free: number;
  readonly #busy = new Set<number | string>();
  /** Waiting scans of each caller in order of arrival. The Map order is the order of the callers' turns. */
  readonly #waiting = new Map<number | string, Waiting[]>();

  /** @param places concurrent scans */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * @throws the error of `ScanTerms.check`, before it waits or when its turn comes; `Left` if the client is gone
   */
  async run<T>(caller: Caller, read: () => Promise<T>): Promise<T> {
    const key = caller.userId ?? caller.address ?? 'nobody';
    const terms: ScanTerms = caller.scanTerms?.() ?? { signal: caller.signal };
    await terms.check?.();
    await this.#turn(key, terms.signal);
    const start = performance.now();
    try {
      await terms.check?.();
      return await read();
    } finally {
      terms.spent?.(performance.now() - start);
      this.#busy.delete(key);
      this.#comeLast(key);
      this.#free++;
      this.#beginNext();
    }
  }

  #turn(caller: number | string, signal: Departure | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Left());
      const own = this.#waiting.get(caller) ?? [];
      const leave = () => waiting.leave(new Left());
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        leave: (reason) => {
          const at = own.indexOf(waiting);
          if (at !== -1) own.splice(at, 1);
          if (own.length === 0 && this.#waiting.get(caller) === own) this.#waiting.delete(caller);
          reject(reason);
        },
      };
      own.push(waiting);
      this.#waiting.set(caller, own);
      signal?.addEventListener('abort', leave);
      this.#beginNext();
    });
  }

  /** After its turn, a caller moves to the end of the order. */
  #comeLast(caller: number | string): void {
    const own = this.#waiting.get(caller);
    if (!own) return;
    this.#waiting.delete(caller);
    this.#waiting.set(caller, own);
  }

  #beginNext(): void {
    while (this.#free > 0) {
      const next = [...this.#waiting.keys()].find((caller) => !this.#busy.has(caller));
      if (next === undefined) return;
      const own = this.#waiting.get(next) as Waiting[];
      const first = own.shift() as Waiting;
      if (own.length === 0) this.#waiting.delete(next);
      this.#busy.add(next);
      this.#free--;
      first.begin();
    }
  }
}
