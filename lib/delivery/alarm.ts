/** Milliseconds between two looks at those who wait, at least. */
const PAUSE = 100;

/**
 * Tells when somebody has waited long enough: one timer for all, since thousands begin to wait with each event, and
 * hardly any of them wait that long. Times are as `performance.now()` has them.
 */
export class Alarm {
  readonly #ring: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;

  /** @param ring ends what is over, and returns when the next is */
  constructor(ring: (now: number) => number) {
    this.#ring = ring;
  }

  /** It rings by then; up to so much later where it has just rung. */
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
    if (next < Number.POSITIVE_INFINITY) this.set(Math.max(next, now + PAUSE));
  }
}
