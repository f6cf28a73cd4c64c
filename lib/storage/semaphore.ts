/** Limits concurrent work. Waiting work starts in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
    this.#free = places;
  }

  get isBusy(): boolean {
    return this.#free < this.#places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Pass the place on directly, so that new work cannot overtake waiting work.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
