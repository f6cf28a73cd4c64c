import type { DueWork } from '../../../kernel/due-work.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';

/** Rows deleted per transaction. */
const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** As long as an ended invitation is kept, its link gets an error with the reason. */
const KEEP_MS = 30 * DAY_MS;
/** The same for links that confirm an address, which work for 24 hours. */
const KEEP_CONFIRMATIONS_MS = 7 * DAY_MS;

/** Deletes invitations some time after they were accepted, were revoked or expired. */
export const forgettingInvitations: DueWork = {
  name: 'ended invitations',
  async nextDue(tx) {
    const ended = await tx.invitations.oldestEnd();
    const confirmation = await tx.addressProofs.oldest();
    const due = [
      ...(ended === undefined ? [] : [ended + KEEP_MS]),
      ...(confirmation === undefined ? [] : [confirmation + KEEP_CONFIRMATIONS_MS]),
    ];
    return due.length === 0 ? undefined : Math.min(...due);
  },
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const forget = [
      (tx: Transaction) => tx.invitations.forget(now - KEEP_MS, BATCH),
      (tx: Transaction) => tx.addressProofs.removeBefore(now - KEEP_CONFIRMATIONS_MS + 1, BATCH),
    ];
    let forgotten = 0;
    for (const some of forget) {
      for (let last = BATCH; last >= BATCH && !isStopping(); forgotten += last) {
        last = await storage.write(some, { shared: true, silent: true });
      }
    }
    return forgotten;
  },
};
