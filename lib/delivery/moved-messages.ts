import type { Transaction } from '../storage/interface/storage.ts';

/** Ids kept at most, all lists together; the newest list is kept whatever its length. */
const KEPT = 1_000_000;

/**
 * Which messages the moves of whole topics took along. Every reader of a channel is told of a move within
 * moments, and the list is as long as the topic: it is looked up for the first of them. What is deleted
 * meanwhile may stand in it, as it would for whoever was told before.
 */
export class MovedMessages {
  readonly #lists = new Map<number, readonly number[]>();
  #kept = 0;

  /** Ascending; a list of the caller's own. */
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
      if (this.#kept <= KEPT || oldest === editId) return;
      this.#lists.delete(oldest);
      this.#kept -= length;
    }
  }
}
