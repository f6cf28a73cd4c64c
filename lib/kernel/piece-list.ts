/** Bytes. What is smaller is copied: in memory, a piece of a single byte takes some four hundred. */
const SMALL = 4 * 1024;
/** Bytes that are copied into one piece: few at first, since most bodies are short. */
const FIRST_COPY = 256;
const MAX_COPY = 64 * 1024;

const NOTHING = Buffer.alloc(0);

/** Bytes that come in pieces of any size, in about as much memory as there are bytes. */
export class PieceList {
  /** Bytes. */
  size = 0;
  #pieces: Uint8Array[] = [];
  /** Where small pieces are copied to; what stands before `#from` is in the list. */
  #copy = NOTHING;
  #from = 0;
  #to = 0;

  add(piece: Uint8Array): void {
    const isFirst = this.size === 0;
    this.size += piece.length;
    // What comes in one piece is not copied.
    if (isFirst || piece.length >= SMALL) {
      this.#closeCopy();
      this.#pieces.push(piece);
      return;
    }
    if (this.#to + piece.length > this.#copy.length) this.#newCopy(piece.length);
    this.#copy.set(piece, this.#to);
    this.#to += piece.length;
  }

  /** All of it, in pieces that are not written to any more. */
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
