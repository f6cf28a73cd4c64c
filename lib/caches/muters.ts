import type { Transaction } from '../storage/interface/storage.ts';
import { VersionedCache } from './versioned-cache.ts';

const NOBODY: readonly number[] = [];

/** Who has muted those who wrote lately, all as of one `readers_version`. */
export class Muters {
  readonly #muters = new VersionedCache<number, readonly number[]>(10_000);

  /** Ordered by id; in a transaction whose `readers_version` is this one. */
  async of(tx: Transaction, version: number, userId: number, afterCommit: (then: () => void) => void) {
    if (version === 0) return NOBODY;
    const kept = this.#muters.get(version, userId);
    if (kept) return kept;
    const muters = await tx.mutedUsers.mutersOf(userId);
    afterCommit(() => this.#muters.keep(version, userId, muters));
    return muters;
  }
}
