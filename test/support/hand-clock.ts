import type { Clock } from '../../lib/ports/clock.ts';

/** A clock that stands still until it is moved. */
export class HandClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{ at: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + ms, callback };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  }

  /** Moves time on and calls back whoever waited for it. */
  advance(ms: number): void {
    this.#now += ms;
    for (const entry of [...this.#waiting].sort((a, b) => a.at - b.at)) {
      if (entry.at > this.#now) continue;
      this.#waiting.delete(entry);
      entry.callback();
    }
  }
}
