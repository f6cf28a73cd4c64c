/** The same in every copy of the package. */
const BRAND: unique symbol = Symbol.for('parlance.RawJson');

/**
 * A part of a result that is JSON already: an answer of megabytes is sent as it is instead of being built and
 * serialized again for each caller, and pieces that thousands of answers share stand in memory once.
 */
export class RawJson<T> {
  readonly [BRAND] = true;

  /** The package's server may be of another copy than the chat that it serves. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  /** In their order they are the JSON of the value; bytes are UTF-8. */
  readonly pieces: readonly (string | Buffer)[];
  readonly #make: (() => T) | undefined;
  #bytes: number | undefined;

  /**
   * @param make the value itself, for callers in this process; else it is read out of the JSON
   * @param bytes how long it is, where that is known: counting makes one text of all its parts
   */
  constructor(json: Buffer | readonly (string | Buffer)[], make?: () => T, bytes?: number) {
    this.pieces = Buffer.isBuffer(json) ? [json] : json;
    this.#make = make;
    this.#bytes = bytes;
  }

  /** Its length in UTF-8. */
  get bytes(): number {
    this.#bytes ??= this.pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    return this.#bytes;
  }

  value(): T {
    return this.#make ? this.#make() : (JSON.parse(this.pieces.join('')) as T);
  }
}

/** Phantom use keeps T in the type: `RawJson<A>` is not a `RawJson<B>`. */
export function unwrapRawJson<T extends object>(result: T): T {
  for (const [key, value] of Object.entries(result)) {
    if (value instanceof RawJson) (result as Record<string, unknown>)[key] = value.value();
  }
  return result;
}
