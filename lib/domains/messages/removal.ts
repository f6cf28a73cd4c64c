import { allInOrder } from '../../kernel/all-in-order.ts';
import type { WriteContext } from '../../kernel/context.ts';
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

/** Deletes messages with all that depends on them. The caller reads the audience before, and sends the events. */
export async function removeMessages(context: WriteContext, ids: readonly number[]): Promise<void> {
  await allInOrder(context.services.consequences.map(({ deleting }) => deleting?.(context, ids)));
  await context.tx.messages.remove(ids);
}
