import type { DueWork } from '../../../kernel/due-work.ts';

/**
 * Events stay at least this long even when no queue needs them: a registration reads its snapshot
 * before its queue exists.
 */
const KEEP_EVENTS_MS = 10 * 60_000;
/** Old events are dropped many at a time, not each as its time comes. */
const BETWEEN_TRIMS_MS = 5 * 60_000;
/** Rows that one transaction removes: senders do not wait behind it. */
const BATCH = 1_000;

/** Queues that nobody polls expire. */
export const expiredQueues: DueWork = {
  name: 'expired queues',
  nextDue: (tx) => tx.queues.nextExpiry(),
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const remove = () =>
      storage.write(async (tx) => (await tx.queues.removeExpired(now, BATCH)).length, { shared: true });
    return inBatches(remove, isStopping);
  },
};

/** Events that no queue needs any more are dropped. */
export const eventLog: DueWork = {
  name: 'event log',
  async nextDue(tx) {
    const oldest = await tx.events.oldest();
    if (!oldest) return undefined;
    const needed = await tx.queues.oldestNeeded();
    if (needed !== undefined && needed <= oldest.seq) return undefined;
    return oldest.created_ms + KEEP_EVENTS_MS + BETWEEN_TRIMS_MS;
  },
  async run({ storage, clock }, isStopping) {
    const olderThan = clock.now() - KEEP_EVENTS_MS;
    const trim = () =>
      storage.write(
        async (tx) => {
          const needed = (await tx.queues.oldestNeeded()) ?? (await tx.events.tail());
          return tx.events.trim(needed, olderThan, BATCH);
        },
        { shared: true, silent: true },
      );
    return inBatches(trim, isStopping);
  },
};

/** Until one removes fewer than it might. */
async function inBatches(remove: () => Promise<number>, isStopping: () => boolean): Promise<number> {
  let total = 0;
  for (let last = BATCH; last === BATCH && !isStopping(); total += last) last = await remove();
  return total;
}
