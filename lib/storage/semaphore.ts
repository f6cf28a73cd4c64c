/** Lets a limited number of pieces of work run at a time, in the order of asking. */
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
      // The place goes to the next one directly, so that nobody who comes now is before them.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** One at a time. */
export class Mutex extends Semaphore {
  constructor() {
    super(1);
  }
}
