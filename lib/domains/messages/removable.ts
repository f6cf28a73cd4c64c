import type { Transaction } from '../../storage/interface/storage.ts';

/** Flags, reactions and edits that are deleted with their messages per transaction. Other requests wait for it. */
const MOST_ATTACHED = 10_000;

/** The last messages that can be deleted in one transaction: all, or some, but at least one message. */
export async function lastRemovable(tx: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  let some = ids;
  while (some.length > 1 && (await tx.messages.countAttached(some, MOST_ATTACHED + 1)) > MOST_ATTACHED) {
    some = some.slice(-Math.floor(some.length / 2));
  }
  return some;
}
