import { queueDeleted } from '../../../delivery/queue-notices.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';

/**
 * Events stay at least this long even when no queue needs them: a registration reads its snapshot
 * before its queue exists.
 */
const KEEP_EVENTS_MS = 10 * 60_000;
/** Old events are dropped many at a time, not each as its time comes. */
const BETWEEN_TRIMS_MS = 5 * 60_000;
/** Rows that one transaction removes: senders do not wait behind it. */
const BATCH = 1_000;

/**
 * A queue further behind than this is ended, as one that has expired: the log is kept for those that are read. A named
 * cursor that is further behind is told what it has missed.
 */
const MAX_BEHIND = 100_000;

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

/** Events that no queue needs any more are dropped, and queues are ended that would hold back too many of them. */
export const eventLog: DueWork = {
  name: 'event log',
  async nextDue(tx) {
    const oldest = await tx.events.oldest();
    if (!oldest) return undefined;
    const bound = (await tx.events.tail()) - MAX_BEHIND;
    const needed = await oldestNeeded(tx, bound);
    if (needed !== undefined && needed <= oldest.seq && needed >= bound) return undefined;
    return oldest.created_ms + KEEP_EVENTS_MS + BETWEEN_TRIMS_MS;
  },
  async run({ storage, clock, hub }, isStopping) {
    const end = (find: (tx: Transaction) => Promise<string[]>) => async () => {
      const ended = await storage.write(
        async (tx) => {
          const ids = await find(tx);
          await tx.events.append(ids.map(queueDeleted), clock.now());
          return ids.length;
        },
        { shared: true },
      );
      if (ended > 0) hub.wake();
      return ended;
    };
    const behind = end(async (tx) => tx.queues.removeBehind((await tx.events.tail()) - MAX_BEHIND, BATCH));
    const ended = await inBatches(behind, isStopping);
    const olderThan = clock.now() - KEEP_EVENTS_MS;
    const trim = () =>
      storage.write(
        async (tx) => {
          const tail = await tx.events.tail();
          return tx.events.trim((await oldestNeeded(tx, tail - MAX_BEHIND)) ?? tail, olderThan, BATCH);
        },
        { shared: true, silent: true },
      );
    return ended + (await inBatches(trim, isStopping));
  },
};

/** The oldest place that a queue needs, or a cursor that is not too far behind. */
async function oldestNeeded(tx: Transaction, bound: number): Promise<number | undefined> {
  const needed = [await tx.queues.oldestNeeded(), await tx.eventCursors.oldestNeeded(bound)];
  const places = needed.filter((place) => place !== undefined);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** Until one removes fewer than it might. */
async function inBatches(remove: () => Promise<number>, isStopping: () => boolean): Promise<number> {
  let total = 0;
  for (let last = BATCH; last === BATCH && !isStopping(); total += last) last = await remove();
  return total;
}
