/** Reading a stream that can be interrupted, even while it waits for the next piece. */
export class Interruptible {
  #error: Error | undefined;
  #interrupt: ((error: Error) => void) | undefined;

  interrupt(error: Error): void {
    this.#error ??= error;
    this.#interrupt?.(error);
  }

  /** @throws the error passed to interrupt() */
  async *pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
          this.#interrupt = reject;
          if (this.#error) reject(this.#error);
          else iterator.next().then(resolve, reject);
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      this.#interrupt = undefined;
      // Not awaited: the iterator may wait for a piece that never arrives.
      iterator.return?.().catch(() => undefined);
    }
  }
}
