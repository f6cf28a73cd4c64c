/**
 * A part of a result that is already JSON bytes: an answer of megabytes is sent as it is
 * instead of being built and serialized again for each caller.
 */
export class RawJson<T> {
  /** @param bytes UTF-8 JSON of the value. */
  constructor(readonly bytes: Buffer) {}

  value(): T {
    return JSON.parse(this.bytes.toString('utf8')) as T;
  }
}

/** Phantom use keeps T in the type: `RawJson<A>` is not a `RawJson<B>`. */
export function unwrapRawJson<T extends object>(result: T): T {
  for (const [key, value] of Object.entries(result)) {
    if (value instanceof RawJson) (result as Record<string, unknown>)[key] = value.value();
  }
  return result;
}
