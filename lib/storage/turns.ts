/** Lets one piece of work run at a time, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get busy(): boolean {
    return this.#waiting > 0;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#waiting++ === 0 ? work() : this.#last.then(work);
    const done = () => {
      this.#waiting--;
    };
    this.#last = result.then(done, done);
    return result;
  }
}
