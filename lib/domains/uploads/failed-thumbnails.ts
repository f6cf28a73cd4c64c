/** Milliseconds: a decoder that lacked time or memory may have it later. */
const REMEMBERED_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 10_000;

/** Thumbnails that could not be made of their pictures, and why: each attempt reads and unpacks the whole picture. */
export class FailedThumbnails {
  readonly #byKey = new Map<string, { error: Error; until: number }>();

  /** Why it could not be made lately. */
  find(key: string, now: number): Error | undefined {
    const failed = this.#byKey.get(key);
    return failed && failed.until > now ? failed.error : undefined;
  }

  add(key: string, error: Error, now: number): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, { error, until: now + REMEMBERED_MS });
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_REMEMBERED && oldest !== undefined) this.#byKey.delete(oldest);
  }
}
