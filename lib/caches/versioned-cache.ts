/**
 * Entries of one version of something, dropped when a newer version is kept or when they become too many.
 * Whoever asks has read the version in their own transaction, so what they get is what the transaction
 * would have read. It takes only what has been committed: the version of a change that was rolled back is
 * used again.
 */
export class VersionedCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;
  #version = -1;
  #size = 0;

  /** @param limit how many things are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(version: number, key: K): V | undefined {
    return version === this.#version ? this.#entries.get(key) : undefined;
  }

  /** What is kept of a key, of whatever version. */
  latest(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keep(version: number, key: K, value: V): void {
    if (this.#hasRoom(version, this.#entries.has(key) ? 0 : 1)) this.#entries.set(key, value);
  }

  /** An entry that holds several things, for one more of them; undefined where the version is an old one. */
  entry(version: number, key: K, make: () => V): V | undefined {
    if (!this.#hasRoom(version, 1)) return undefined;
    const present = this.#entries.get(key);
    if (present !== undefined) return present;
    const made = make();
    this.#entries.set(key, made);
    return made;
  }

  #hasRoom(version: number, added: number): boolean {
    if (version < this.#version) return false;
    this.#size += added;
    if (version > this.#version || this.#size > this.#limit) {
      this.#entries.clear();
      this.#version = version;
      this.#size = 1;
    }
    return true;
  }
}
