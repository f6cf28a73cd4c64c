import type { Departure } from '../delivery/waiter.ts';
import type { Caller, ScanTerms } from './callers.ts';

/** Whoever asked waits no more. */
class Left extends Error {
  constructor() {
    super('Nobody waits for this any more.');
  }
}

interface Waiting {
  begin(): void;
  leave(reason: unknown): void;
}

/**
 * Where reads wait that may look through everything there is. Each caller has one under way, so that whoever asks
 * for many holds up nobody else; callers with more to do take turns.
 */
export class ScanLine {
  #free: number;
  readonly #busy = new Set<number | string>();
  /** Those of each caller in the order of asking; callers in the order of their turns. */
  readonly #waiting = new Map<number | string, Waiting[]>();

  /** @param places how many are done at a time */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * @throws whatever the terms refuse it with, before it waits or when its turn comes, and `Left` where
   * nobody waits for it any more
   */
  async run<T>(caller: Caller, read: () => Promise<T>): Promise<T> {
    const key = caller.userId ?? caller.address ?? 'nobody';
    const terms: ScanTerms = caller.scanTerms?.() ?? { signal: caller.signal };
    terms.check?.();
    await this.#turn(key, terms.signal);
    const start = performance.now();
    try {
      terms.check?.();
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

  /** Whoever has had a turn comes after everybody who waits. */
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
