import type { DueWork } from '../../../kernel/due-work.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';

/** Rows deleted per transaction. */
const ROWS_PER_TRANSACTION = 500;
const DAY_MS = 24 * 3_600_000;
/** As long as an ended invitation is kept, its link gets an error with the reason. */
const KEEP_MS = 30 * DAY_MS;
/** The same for links that confirm an address, which work for 24 hours. */
const KEEP_CONFIRMATIONS_MS = 7 * DAY_MS;

/** Deletes invitations some time after they were accepted, were revoked or expired. */
export const purgeInvitations: DueWork = {
  name: 'ended invitations',
  async nextDue(tx) {
    const ended = await tx.invitations.oldestEnd();
    const confirmation = await tx.emailVerifications.oldest();
    const due = [
      ...(ended === undefined ? [] : [ended + KEEP_MS]),
      ...(confirmation === undefined ? [] : [confirmation + KEEP_CONFIRMATIONS_MS]),
    ];
    return due.length === 0 ? undefined : Math.min(...due);
  },
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const forget = [
      (tx: Transaction) => tx.invitations.forget(now - KEEP_MS, ROWS_PER_TRANSACTION),
      (tx: Transaction) => tx.emailVerifications.removeBefore(now - KEEP_CONFIRMATIONS_MS + 1, ROWS_PER_TRANSACTION),
    ];
    let forgotten = 0;
    for (const some of forget) {
      for (let last = ROWS_PER_TRANSACTION; last >= ROWS_PER_TRANSACTION && !isStopping(); forgotten += last) {
        last = await storage.write(some, { shared: true, silent: true });
      }
    }
    return forgotten;
  },
};
