/** Milliseconds of the event loop at a time. */
const TURN = 5;

/**
 * For work that goes on for long without waiting for anything: whenever its turn `isOver`, it waits for the `next`,
 * and others have theirs in between.
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
