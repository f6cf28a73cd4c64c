import type * as v from 'valibot';
import { type DueWork, defineFeature } from '../../../operation/feature.ts';
import { getPresence } from './get.ts';
import { listPresences } from './list.ts';
import { presenceChanged, presencesFor, type presences as presencesSchema } from './presence.ts';
import { presenceCacheOf } from './presence-cache.ts';
import { reportPresence } from './report.ts';

/** Rows per transaction, so that message senders do not wait long. */
const ROWS_PER_TRANSACTION = 1_000;

/** Writes the reports of all users together. The write is silent: readers query the table for changes. */
const gatheredReports: DueWork = {
  name: 'presence reports',
  alsoAtClose: true,
  nextDue: async (_tx, services) => presenceCacheOf(services).dueMs,
  async run(services) {
    const { storage, clock } = services;
    const presenceCache = presenceCacheOf(services);
    const all = presenceCache.gathered();
    for (let from = 0; from < all.length; from += ROWS_PER_TRANSACTION) {
      const some = all.slice(from, from + ROWS_PER_TRANSACTION);
      const shown = await storage.write(async (tx) => {
        const users = await tx.users.byIds(some.map(({ user_id }) => user_id));
        // Since their report, users may have been deactivated or have hidden their presence.
        const present = users.filter((user) => user.is_active && user.settings.presence_enabled !== false);
        const shown = new Set(present.map(({ id }) => id));
        await tx.presences.record(some.filter(({ user_id }) => shown.has(user_id)));
        return shown;
      }, 'silent');
      presenceCache.settle(some, ({ user_id }) => shown.has(user_id), clock.now());
    }
    return all.length;
  },
};

/**
 * Presence of users. Each client reports once a minute, which is the most frequent request of a chat. So reports are
 * gathered in memory and written together, and responses are built from memory.
 */
export const presence = defineFeature({
  operations: [listPresences, reportPresence, getPresence],
  events: [presenceChanged],
  initialState: {
    presence: async ({ context, options, presence_history_limit_days }) =>
      presencesFor<v.InferOutput<typeof presencesSchema>>(context, {
        form: options.slim_presence ? 'slim' : 'legacy',
        historyDays: presence_history_limit_days,
        afterId: -1,
      }),
  },
  dueWork: [gatheredReports],
});
