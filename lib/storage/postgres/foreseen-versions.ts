import { isDeepStrictEqual } from 'node:util';
import type { Foresee } from '../sql/connection.ts';

/** The versions that a transaction went on with are not those of the database: it must be done again. */
export class OutdatedVersions extends Error {}

/** The versions that the last transaction has read, until an exclusive write begins, which may change them. */
export class LatestVersions {
  #versions: unknown;
  #exclusive = 0;

  get(): unknown {
    return this.#exclusive > 0 ? undefined : this.#versions;
  }

  note(versions: unknown): void {
    this.#versions = versions;
  }

  /** Returns what is to be called when the exclusive write has ended. */
  beginExclusive(): () => void {
    this.#exclusive++;
    return () => {
      this.#exclusive--;
      this.#versions = undefined;
    };
  }
}

/**
 * What a shared write reads first. Its answer is nearly always that of the transaction before, so the work goes on with
 * that one, and the answer is compared before the commit. This saves a round trip.
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

  /** Resolves when the database has answered. Throws OutdatedVersions where it expected something else. */
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
