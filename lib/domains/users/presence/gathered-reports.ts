import type { DueWork } from '../../../kernel/due-work.ts';

/** Rows that one transaction writes: senders do not wait behind it. */
const BATCH = 1_000;

/**
 * Reports that were gathered are written: for everybody together, so that a report costs a part of one write
 * every few seconds, and silently, since whoever is asked looks for what was written.
 */
export const gatheredReports: DueWork = {
  name: 'presence reports',
  alsoAtClose: true,
  nextDue: async (_tx, { presenceCache }) => presenceCache.dueMs,
  async run({ storage, clock, presenceCache }) {
    const all = presenceCache.gathered();
    for (let from = 0; from < all.length; from += BATCH) {
      const some = all.slice(from, from + BATCH);
      const shown = await storage.write(
        async (tx) => {
          const users = await tx.users.byIds(some.map(({ user_id }) => user_id));
          // Since they reported, they may have been deactivated, or have chosen to be unseen.
          const present = users.filter((user) => user.is_active && user.settings.presence_enabled !== false);
          const shown = new Set(present.map(({ id }) => id));
          await tx.presences.record(some.filter(({ user_id }) => shown.has(user_id)));
          return shown;
        },
        { shared: true, silent: true },
      );
      presenceCache.settle(some, ({ user_id }) => shown.has(user_id), clock.now());
    }
    return all.length;
  },
};
