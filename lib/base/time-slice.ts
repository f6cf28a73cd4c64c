/** Milliseconds of one turn. */
const SLICE_MS = 5;

/** Yields the event loop during long computations: when `isOver` is true, await `next`. */
export class TimeSlice {
  #end = performance.now() + SLICE_MS;

  isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.#end = performance.now() + SLICE_MS;
  }
}
