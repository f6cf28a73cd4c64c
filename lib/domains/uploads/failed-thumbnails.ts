/** The decoder may have run out of time or memory, so a later attempt can succeed. */
const REMEMBERED_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 10_000;

/** Caches the errors of failed thumbnails, because each attempt reads and decodes the whole image. */
export class FailedThumbnails {
  readonly #byKey = new Map<string, { error: Error; until: number }>();

  /** The error of a recent attempt. */
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
