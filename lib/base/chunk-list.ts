/** Smaller pieces are copied, in bytes: a piece of one byte needs about 400 bytes of memory. */
const MIN_BYTES_KEPT_UNCOPIED = 4 * 1024;
/** First size of the copy buffer in bytes: small, since most bodies are short. */
const FIRST_COPY = 256;
const MAX_COPY = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** Collects pieces of any size, with little more memory than their bytes. */
export class ChunkList {
  /** Total size in bytes. */
  size = 0;
  #pieces: Uint8Array[] = [];
  /** Copy buffer for small pieces. The bytes before `#from` are already in the list. */
  #copy = NOTHING;
  #from = 0;
  #to = 0;

  add(piece: Uint8Array): void {
    const isFirst = this.size === 0;
    this.size += piece.length;
    // Not for the first piece: most contents arrive in one piece.
    if (isFirst || piece.length >= MIN_BYTES_KEPT_UNCOPIED) {
      this.#closeCopy();
      this.#pieces.push(piece);
      return;
    }
    if (this.#to + piece.length > this.#copy.length) this.#newCopy(piece.length);
    this.#copy.set(piece, this.#to);
    this.#to += piece.length;
  }

  /** Removes and returns all pieces. They do not change any more. */
  take(): Uint8Array[] {
    this.#closeCopy();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.size = 0;
    return pieces;
  }

  #newCopy(least: number): void {
    this.#closeCopy();
    const size = Math.min(MAX_COPY, Math.max(FIRST_COPY, this.#copy.length * 2));
    this.#copy = Buffer.allocUnsafeSlow(Math.max(least, size));
    this.#from = 0;
    this.#to = 0;
  }

  #closeCopy(): void {
    if (this.#to > this.#from) this.#pieces.push(this.#copy.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
