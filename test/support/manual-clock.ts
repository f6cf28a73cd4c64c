import type { Clock } from '../../lib/ports/clock.ts';

/** A clock that stands still until a test moves it. Callbacks come due as it passes them. */
export class ManualClock implements Clock {
  #now: number;
  readonly #due = new Set<{ at: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, ms), callback };
    this.#due.add(entry);
    return () => void this.#due.delete(entry);
  }

  advance(time: { milliseconds?: number; seconds?: number; days?: number }): void {
    this.#now += (time.milliseconds ?? 0) + (time.seconds ?? 0) * 1000 + (time.days ?? 0) * 86_400_000;
    for (const entry of [...this.#due].sort((a, b) => a.at - b.at)) {
      // A callback may have cancelled one that was due with it.
      if (entry.at > this.#now || !this.#due.delete(entry)) continue;
      entry.callback();
    }
  }
}
