import type { Transaction } from '../../storage/interface/storage.ts';

/** Flags, reactions and edits that one transaction takes away with their messages: others wait meanwhile. */
const MOST_ATTACHED = 10_000;

/** Of messages the last that can go in one transaction: all of them, or some, but one at least. */
export async function lastRemovable(tx: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  let some = ids;
  while (some.length > 1 && (await tx.messages.countAttached(some, MOST_ATTACHED + 1)) > MOST_ATTACHED) {
    some = some.slice(-Math.floor(some.length / 2));
  }
  return some;
}
