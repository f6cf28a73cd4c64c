/**
 * Divides time among the pieces of work that go on in it: of each millisecond, every one of so many has its share. So
 * nobody pays for having others beside them, and all together pay no more than the time there was.
 */
export class SharedTime {
  readonly #now: () => number;
  #working = 0;
  /** Milliseconds that a piece of work would have had for itself if it had gone on from the beginning. */
  #share = 0;
  #sharedUntil = 0;

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A piece of work begins; it ends when what this returns is called, which returns its milliseconds. */
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
