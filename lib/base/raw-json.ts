import { recognizeCopies } from './across-copies.ts';

/**
 * A part of a result as serialized JSON. An answer of megabytes is not serialized again for each caller, and thousands
 * of answers can share the same pieces in memory.
 */
export class RawJson<T> {
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

recognizeCopies(RawJson, 'RawJson');

/** A list or an object of these elements, each of them JSON. */
export function joinedJson<T>(brackets: '[]' | '{}', elements: readonly Buffer[]): RawJson<T> {
  const pieces: Buffer[] = [Buffer.from(brackets.charAt(0))];
  for (const element of elements) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(element);
  }
  return new RawJson<T>(Buffer.concat([...pieces, Buffer.from(brackets.charAt(1))]));
}

const COMMA = Buffer.from(',');

/** Phantom use keeps T in the type: `RawJson<A>` is not a `RawJson<B>`. */
export function unwrapRawJson<T extends object>(result: T): T {
  for (const [key, value] of Object.entries(result)) {
    if (value instanceof RawJson) (result as Record<string, unknown>)[key] = value.value();
  }
  return result;
}
