import type { DueWork } from '../../../kernel/due-work.ts';

/** Rows per transaction, so that message senders do not wait long. */
const ROWS_PER_TRANSACTION = 1_000;

/**
 * Writes the gathered reports of all users together, every few seconds. The write is silent: readers query the table
 * for changes.
 */
export const gatheredReports: DueWork = {
  name: 'presence reports',
  alsoAtClose: true,
  nextDue: async (_tx, { presenceCache }) => presenceCache.dueMs,
  async run({ storage, clock, presenceCache }) {
    const all = presenceCache.gathered();
    for (let from = 0; from < all.length; from += ROWS_PER_TRANSACTION) {
      const some = all.slice(from, from + ROWS_PER_TRANSACTION);
      const shown = await storage.write(
        async (tx) => {
          const users = await tx.users.byIds(some.map(({ user_id }) => user_id));
          // Since their report, users may have been deactivated or have hidden their presence.
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
