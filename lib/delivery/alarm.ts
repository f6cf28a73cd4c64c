/** Shortest time between two checks, in milliseconds. */
const MIN_INTERVAL_MS = 100;

/**
 * One timer for the timeouts of all polls: thousands start waiting with each event, and few reach their timeout. Times
 * are those of `performance.now()`.
 */
export class Alarm {
  readonly #ring: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;

  /** @param ring ends the polls whose time is over, and returns the next time */
  constructor(ring: (now: number) => number) {
    this.#ring = ring;
  }

  /** Calls `ring` at this time, or up to `PAUSE` later. */
  set(at: number): void {
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.#goOff(), Math.max(0, at - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }

  #goOff(): void {
    const now = performance.now();
    const next = this.#ring(now);
    this.stop();
    if (next < Number.POSITIVE_INFINITY) this.set(Math.max(next, now + MIN_INTERVAL_MS));
  }
}
