import type { Transaction } from '../storage/interface/storage.ts';

/** Cached IDs in all lists together. The newest list is always kept. */
const MAX_CACHED_IDS = 1_000_000;

/**
 * The messages moved with whole topics. All readers of a channel receive a move within moments, and the list may be
 * long, so it is looked up once and cached. It may contain messages that were deleted after the move.
 */
export class MovedMessages {
  readonly #lists = new Map<number, readonly number[]>();
  #kept = 0;

  /** Ascending. Returns a copy. */
  async of(tx: Transaction, editId: number): Promise<number[]> {
    const known = this.#lists.get(editId);
    if (known) return known.slice();
    const found = await tx.edits.messagesMoved(editId);
    this.#keep(editId, found);
    return found.slice();
  }

  #keep(editId: number, list: readonly number[]): void {
    if (this.#lists.has(editId)) return;
    this.#lists.set(editId, list);
    this.#kept += list.length;
    for (const [oldest, { length }] of this.#lists) {
      if (this.#kept <= MAX_CACHED_IDS || oldest === editId) return;
      this.#lists.delete(oldest);
      this.#kept -= length;
    }
  }
}
