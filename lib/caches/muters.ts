import type { Transaction } from '../storage/interface/storage.ts';
import { VersionedCache } from './versioned-cache.ts';

const NOBODY: readonly number[] = [];

/** The users who have muted recent senders, all of one `readers_version`. */
export class Muters {
  readonly #muters = new VersionedCache<number, readonly number[]>(10_000);

  /** Ordered by ID. `version` is the `readers_version` of the transaction. */
  async of(tx: Transaction, version: number, userId: number, afterCommit: (then: () => void) => void) {
    if (version === 0) return NOBODY;
    const kept = this.#muters.get(version, userId);
    if (kept) return kept;
    const muters = await tx.mutedUsers.mutersOf(userId);
    afterCommit(() => this.#muters.keep(version, userId, muters));
    return muters;
  }
}
