import type { Clock } from '../ports/clock.ts';

/** How far `TestClock.advance` goes: its parts are added up. Each is 0 by default. */
export interface TimeSpan {
  /** Thousandths of a second. */
  milliseconds?: number;
  /** Of 1,000 ms. */
  seconds?: number;
  /** Of 60 s. */
  minutes?: number;
  /** Of 60 minutes. */
  hours?: number;
  /** Of 24 hours. */
  days?: number;
}

/**
 * A clock that stands still until it is moved. Callbacks come due as it passes them.
 * @example
 * const clock = new TestClock(Date.UTC(2026, 5, 1));
 * const chat = await openChat({ storage: sqlite(':memory:'), clock });
 * clock.advance({ days: 1 });
 */
export class TestClock implements Clock {
  #now: number;
  readonly #due = new Set<{ at: number; callback: () => void }>();

  /** @param start milliseconds since the epoch; by default 1 January 2026 */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  /** Calls back once, as soon as the clock is `ms` milliseconds further or more; returns the cancellation. */
  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, ms), callback };
    this.#due.add(entry);
    return () => void this.#due.delete(entry);
  }

  /**
   * Goes on by so much, and then calls what came due, the earliest first: each finds the new time. What a callback sets
   * up itself is called by the next `advance` at the earliest.
   * @throws whatever a callback throws; those that were due after it are called by the next `advance`
   * @example clock.advance({ minutes: 5 });
   */
  advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: TimeSpan): void {
    this.#now += milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    for (const entry of [...this.#due].sort((a, b) => a.at - b.at)) {
      // A callback may have cancelled one that was due with it.
      if (entry.at > this.#now || !this.#due.delete(entry)) continue;
      entry.callback();
    }
  }
}
