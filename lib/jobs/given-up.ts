import type { DueWork } from '../kernel/due-work.ts';

const KEEP_GIVEN_UP_MS = 30 * 24 * 3_600_000;
/** Rows deleted per transaction. */
const ROWS_PER_TRANSACTION = 500;

/** Deletes finally failed outbox items after 30 days. */
export const givenUpItems: DueWork = {
  name: 'given up items',
  async nextDue(tx) {
    const oldest = await tx.outbox.oldestGivenUp();
    return oldest === undefined ? undefined : oldest + KEEP_GIVEN_UP_MS;
  },
  async run({ storage, clock }, isStopping) {
    const until = clock.now() - KEEP_GIVEN_UP_MS;
    let removed = 0;
    for (let last = ROWS_PER_TRANSACTION; last === ROWS_PER_TRANSACTION && !isStopping(); removed += last) {
      last = await storage.write((tx) => tx.outbox.removeGivenUp(until, ROWS_PER_TRANSACTION), {
        shared: true,
        silent: true,
      });
    }
    return removed;
  },
};
