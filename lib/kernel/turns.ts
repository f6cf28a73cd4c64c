/** Milliseconds of one turn. */
const TURN = 5;

/**
 * Yields the event loop during long computations: when `isOver` is true, await `next`.
 */
export class Turns {
  #end = performance.now() + TURN;

  isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.#end = performance.now() + TURN;
  }
}
