/** A content whose reading ends when somebody says so, also while no piece of it comes. */
export class Interruptible {
  #error: Error | undefined;
  #interrupt: ((error: Error) => void) | undefined;

  interrupt(error: Error): void {
    this.#error ??= error;
    this.#interrupt?.(error);
  }

  /** @throws what it was interrupted with */
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
      // It may wait for a piece that never comes.
      iterator.return?.().catch(() => undefined);
    }
  }
}
