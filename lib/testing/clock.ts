import type { Clock } from '../adapters/clock.ts';

/** A duration: the sum of its parts. Each part is 0 by default. */
export interface TimeSpan {
  /** Default 0. */
  milliseconds?: number;
  /** Default 0. */
  seconds?: number;
  /** Default 0. */
  minutes?: number;
  /** Default 0. */
  hours?: number;
  /** Days of 24 hours. Default 0. */
  days?: number;
}

/**
 * A clock for tests. Its time only changes with `advance`, which also runs the callbacks that become due.
 * @example
 * const clock = new TestClock(Date.UTC(2026, 5, 1));
 * const chat = await openChat({ storage: sqlite(':memory:'), clock });
 * clock.advance({ days: 1 });
 */
export class TestClock implements Clock {
  #now: number;
  readonly #due = new Set<{ at: number; callback: () => void }>();

  /** @param start start time in milliseconds since the epoch; default 1 January 2026 */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  /** Calls `callback` once, when the clock has advanced by `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, ms), callback };
    this.#due.add(entry);
    return () => void this.#due.delete(entry);
  }

  /**
   * Advances the time, then runs the due callbacks, earliest first. All of them see the new time. Callbacks that they
   * add run in the next `advance` at the earliest.
   * @throws the error of a callback; later due callbacks then run in the next `advance`
   * @example clock.advance({ minutes: 5 });
   */
  advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: TimeSpan): void {
    this.#now += milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    for (const entry of [...this.#due].sort((a, b) => a.at - b.at)) {
      // An earlier callback may have cancelled this one.
      if (entry.at > this.#now || !this.#due.delete(entry)) continue;
      entry.callback();
    }
  }
}
