/** Shared by all copies of the package. */
const BRAND: unique symbol = Symbol.for('parlance.RawJson');

/**
 * A part of a result as serialized JSON. An answer of megabytes is not serialized again for each caller, and thousands
 * of answers can share the same pieces in memory.
 */
export class RawJson<T> {
  readonly [BRAND] = true;

  /** The server may come from another copy of the package than the chat. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  /** Concatenated, they are the JSON of the value. Buffers are UTF-8. */
  readonly pieces: readonly (string | Buffer)[];
  readonly #make: (() => T) | undefined;
  #bytes: number | undefined;

  /**
   * @param make returns the value for callers in this process; default: parses the JSON
   * @param bytes size in UTF-8, if known: counting would join all string pieces
   */
  constructor(json: Buffer | readonly (string | Buffer)[], make?: () => T, bytes?: number) {
    this.pieces = Buffer.isBuffer(json) ? [json] : json;
    this.#make = make;
    this.#bytes = bytes;
  }

  /** Size in UTF-8. */
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
