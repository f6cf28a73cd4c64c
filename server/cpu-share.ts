/**
 * Divides time among parallel tasks: each task gets an equal share of each millisecond. So no task pays for others, and
 * together they pay no more than the time that has passed.
 */
export class CpuShare {
  readonly #now: () => number;
  #working = 0;
  /** Milliseconds that a task would have if it had run from the beginning. */
  #share = 0;
  #sharedUntil = 0;

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a task. The returned function ends it and returns its milliseconds. */
  begin(): () => number {
    const from = this.#shareOfEach();
    this.#working++;
    return () => {
      const share = this.#shareOfEach() - from;
      this.#working--;
      return share;
    };
  }

  #shareOfEach(): number {
    const now = this.#now();
    if (this.#working > 0) this.#share += (now - this.#sharedUntil) / this.#working;
    this.#sharedUntil = now;
    return this.#share;
  }
}
