import { queueDeleted } from '../../../events/queue-notices.ts';
import { type DueWork, defineFeature, inBatches } from '../../../operation/feature.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { StatePart } from '../../../viewer/context.ts';
import { deleteEventQueue } from './delete.ts';
import { listEvents } from './list.ts';
import { heartbeat } from './poll.ts';
import { register } from './register.ts';

/** Longer than a registration takes, which reads its snapshot before its queue exists. */
const KEEP_EVENTS_MS = 10 * 60_000;
/** Old events are deleted in batches at this interval. */
const BETWEEN_TRIMS_MS = 5 * 60_000;
/** Rows removed per transaction. Small, so that senders do not wait long. */
const ROWS_PER_TRANSACTION = 1_000;

/**
 * A queue that is further behind is deleted, like an expired queue. The log keeps no events for a named cursor that is
 * further behind: its next read gets an `EventGap`.
 */
const MAX_QUEUE_LAG = 100_000;

const expiredQueues: DueWork = {
  name: 'expired queues',
  isHousekeeping: true,
  nextDue: (tx) => tx.queues.nextExpiry(),
  async run({ storage, clock }, isStopping) {
    const now = clock.now();
    const remove = () =>
      storage.write(async (tx) => (await tx.queues.removeExpired(now, ROWS_PER_TRANSACTION)).length, 'mark');
    return inBatches(ROWS_PER_TRANSACTION, isStopping, remove);
  },
};

/** Deletes events that no queue needs, and queues that are too far behind. */
const eventLog: DueWork = {
  name: 'event log',
  isHousekeeping: true,
  async nextDue(tx) {
    const oldest = await tx.events.oldest();
    if (!oldest) return undefined;
    const bound = (await tx.events.tail()) - MAX_QUEUE_LAG;
    const needed = await oldestNeeded(tx, bound);
    if (needed !== undefined && needed <= oldest.seq && needed >= bound) return undefined;
    return oldest.created_ms + KEEP_EVENTS_MS + BETWEEN_TRIMS_MS;
  },
  async run({ storage, clock, hub }, isStopping) {
    const endBehind = async () => {
      const ended = await storage.write(async (tx) => {
        const ids = await tx.queues.removeBehind((await tx.events.tail()) - MAX_QUEUE_LAG, ROWS_PER_TRANSACTION);
        await tx.events.append(ids.map(queueDeleted), clock.now());
        return ids.length;
      }, 'mark');
      if (ended > 0) hub.wake();
      return ended;
    };
    const ended = await inBatches(ROWS_PER_TRANSACTION, isStopping, endBehind);
    const olderThan = clock.now() - KEEP_EVENTS_MS;
    const trim = () =>
      storage.write(async (tx) => {
        const tail = await tx.events.tail();
        return tx.events.trim((await oldestNeeded(tx, tail - MAX_QUEUE_LAG)) ?? tail, olderThan, ROWS_PER_TRANSACTION);
      }, 'silent');
    return ended + (await inBatches(ROWS_PER_TRANSACTION, isStopping, trim));
  },
};

async function oldestNeeded(tx: Transaction, bound: number): Promise<number | undefined> {
  const needed = [await tx.queues.oldestNeeded(), await tx.eventCursors.oldestNeeded(bound)];
  const places = needed.filter((place) => place !== undefined);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** Clients cannot start without these keys. Their features are not implemented. */
const missingFeatures = {
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  // This old format cannot represent URL templates, so it is empty.
  realm_filters: async () => ({ realm_filters: [] }),
} satisfies Record<string, StatePart>;

/**
 * Event queues. A client registers a queue, gets the initial state, and polls the queue for changes. Queues are stored,
 * so they survive a restart. They expire if they are not polled.
 */
export const queues = defineFeature({
  operations: [register, listEvents, deleteEventQueue],
  events: [heartbeat],
  initialState: missingFeatures,
  dueWork: [expiredQueues, eventLog],
});
