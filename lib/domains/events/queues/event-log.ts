import type { DueWork } from '../../../kernel/due-work.ts';

/**
 * Events stay at least this long even when no queue needs them: a registration reads its snapshot
 * before its queue exists.
 */
const KEEP_EVENTS_MS = 10 * 60_000;

/** Queues that nobody polls expire, and events that no queue needs any more are dropped. */
export const eventLog: DueWork = {
  name: 'event log',
  nextDue: (tx) => tx.queues.nextExpiry(),
  async run(services) {
    const now = services.clock.now();
    return services.storage.write(async (tx) => {
      const expired = await tx.queues.removeExpired(now);
      const needed = (await tx.queues.oldestNeeded()) ?? (await tx.events.tail());
      const trimmed = await tx.events.trim(needed, now - KEEP_EVENTS_MS);
      return expired.length + trimmed;
    });
  },
};
