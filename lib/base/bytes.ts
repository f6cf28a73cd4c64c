/** Smaller pieces are joined, in bytes: a piece of one byte needs about 400 bytes of memory. */
const MIN_BYTES_KEPT_APART = 4 * 1024;
/** Small pieces that wait to be joined, and bytes from which they are not joined with later ones. */
const MAX_SMALL = 1_024;
const MIN_JOINED_BYTES = 64 * 1024;

/** Collects pieces of any size, with little more memory than their bytes. */
export class ChunkList {
  /** Total size in bytes. */
  size = 0;
  #pieces: Uint8Array[] = [];
  #small: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    // Most contents arrive in one piece, which needs no copy.
    const isApart = this.size === 0 || piece.length >= MIN_BYTES_KEPT_APART;
    this.size += piece.length;
    if (isApart) this.#join();
    else if (this.#small.length >= MAX_SMALL) this.#join(MIN_JOINED_BYTES);
    (isApart ? this.#pieces : this.#small).push(piece);
  }

  /** Removes and returns all pieces. They do not change any more. */
  take(): Uint8Array[] {
    this.#join();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.size = 0;
    return pieces;
  }

  #join(minBytes = 0): void {
    if (this.#small.length === 0) return;
    const joined = Buffer.concat(this.#small.splice(0));
    (joined.length < minBytes ? this.#small : this.#pieces).push(joined);
  }
}

/**
 * The content in blocks of `bytes` bytes. Only the last one is shorter. If reading the content fails, yields the bytes
 * before the failure, then throws the error.
 */
export async function* inBlocks(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer, undefined> {
  let block = Buffer.allocUnsafeSlow(bytes);
  let size = 0;
  let failure: { error: unknown } | undefined;
  try {
    for await (const piece of content) {
      for (let at = 0; at < piece.length; ) {
        const taken = piece.subarray(at, at + bytes - size);
        block.set(taken, size);
        size += taken.length;
        at += taken.length;
        if (size < bytes) continue;
        yield block;
        block = Buffer.allocUnsafeSlow(bytes);
        size = 0;
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (size > 0) yield block.subarray(0, size);
  if (failure) throw failure.error;
}
