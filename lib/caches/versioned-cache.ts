/**
 * A cache of entries of one version. A newer version, or too many entries, clears it. Callers pass the version that
 * their transaction has read, so they get what the transaction itself would read. Store only committed data: after a
 * rollback, the same version is used again.
 */
export class VersionedCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;
  #version = -1;
  #size = 0;

  /** @param limit largest number of entries */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(version: number, key: K): V | undefined {
    return version === this.#version ? this.#entries.get(key) : undefined;
  }

  /** The entry of a key, of any version. */
  latest(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keep(version: number, key: K, value: V): void {
    if (this.#hasRoom(version, this.#entries.has(key) ? 0 : 1)) this.#entries.set(key, value);
  }

  /** The entry of a key, created if necessary. undefined if the version is outdated. */
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
