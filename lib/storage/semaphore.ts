import { TransactionUnsuitable } from '../base/errors.ts';

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

  get waiting(): number {
    return this.#waiting.length;
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

const turns = new WeakMap<object, Semaphore>();

/** For a call whose transaction the host has ended before the last statement. */
export const endedEarly = () =>
  new TransactionUnsuitable(
    'Your transaction ended during this call. Parts of the call may be stored. Wait for the call before COMMIT or ROLLBACK.',
  );

/** Runs work on a connection of the host after earlier work on it. */
export function inTurn<T>(connection: object, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(connection) ?? new Semaphore(1);
  turns.set(connection, turn);
  return turn.run(work);
}
