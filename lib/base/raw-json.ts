import { recognizeCopies } from './across-copies.ts';

/**
 * A part of a result as serialized JSON. An answer of megabytes is not serialized again for each caller, and thousands
 * of answers can share the same pieces in memory.
 */
export class RawJson<T> {
  /** Concatenated, they are the JSON of the value. Buffers are UTF-8. */
  readonly pieces: readonly (string | Buffer)[];
  /** The value, for callers in this process. */
  readonly value: () => T;

  /** @param value default: parses the JSON */
  constructor(json: Buffer | readonly (string | Buffer)[], value?: () => T) {
    this.pieces = Buffer.isBuffer(json) ? [json] : json;
    this.value = value ?? (() => JSON.parse(this.pieces.join('')) as T);
  }
}

recognizeCopies(RawJson, 'RawJson');

/** A list or an object of these elements, each of them JSON. */
export function joinedJson<T>(brackets: '[]' | '{}', elements: readonly Buffer[]): RawJson<T> {
  const pieces = elements.flatMap((element, at) => (at > 0 ? [COMMA, element] : [element]));
  return new RawJson<T>(Buffer.concat([Buffer.from(brackets.charAt(0)), ...pieces, Buffer.from(brackets.charAt(1))]));
}

const COMMA = Buffer.from(',');

/** Replaces fields that are `RawJson` by their values, in place. */
export function unwrapRawJson<T extends object>(result: T): T {
  for (const [key, value] of Object.entries(result)) {
    if (value instanceof RawJson) (result as Record<string, unknown>)[key] = value.value();
  }
  return result;
}
