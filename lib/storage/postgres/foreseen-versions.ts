import { isDeepStrictEqual } from 'node:util';
import type { Foresee } from '../sql/connection.ts';

/** A transaction has used versions that are not those of the database: run it again. */
export class OutdatedVersions extends Error {}

/** The versions that the last transaction has read. Dropped when an exclusive write starts, which may change them. */
export class LatestVersions {
  #versions: unknown;
  #exclusive = 0;

  get(): unknown {
    return this.#exclusive > 0 ? undefined : this.#versions;
  }

  note(versions: unknown): void {
    this.#versions = versions;
  }

  /** Returns a function to call when the exclusive write has ended. */
  beginExclusive(): () => void {
    this.#exclusive++;
    return () => {
      this.#exclusive--;
      this.#versions = undefined;
    };
  }
}

/**
 * The versions that a shared write reads first. They are nearly always those of the previous transaction, so the work
 * continues with these, and the answer is compared before the commit. This saves a round trip.
 */
export class ForeseenVersions {
  readonly #latest: LatestVersions;
  readonly #expected: unknown;
  #answer: Promise<unknown> | undefined;
  isMistaken = false;

  constructor(latest: LatestVersions, { mayForesee }: { mayForesee: boolean }) {
    this.#latest = latest;
    this.#expected = mayForesee ? latest.get() : undefined;
  }

  /** Queries the database once for all members of a group. */
  readonly foresee: Foresee = async <T>(load: () => Promise<T>, answered?: () => void): Promise<T> => {
    this.#answer ??= this.#compare(load());
    this.#answer.then(answered, () => undefined);
    return (this.#expected ?? (await this.#answer)) as T;
  };

  /** Resolves when the database has answered. Throws OutdatedVersions if the versions differ. */
  async check(): Promise<void> {
    await this.#answer;
    if (this.isMistaken) throw new OutdatedVersions();
  }

  async #compare(asked: Promise<unknown>): Promise<unknown> {
    const found = await asked;
    this.#latest.note(found);
    this.isMistaken = this.#expected !== undefined && !isDeepStrictEqual(found, this.#expected);
    return found;
  }
}
