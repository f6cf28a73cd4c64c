import type * as v from 'valibot';
import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { presencesFor, type presences as presencesSchema } from './answer.ts';
import { presenceChanged } from './events.ts';
import { gatheredReports } from './gathered-reports.ts';
import { getPresence } from './get.ts';
import { listPresences } from './list.ts';
import { reportPresence } from './report.ts';

/**
 * Presence of users. Each client reports once a minute, which is the most frequent request of a chat. So reports are
 * gathered in memory and written together, and responses are built from memory.
 */
export const presence = defineFeature({
  operations: [listPresences, reportPresence, getPresence],
  events: [presenceChanged],
  initialState: { presence: presenceState },
  dueWork: [gatheredReports],
});

async function presenceState({ context, options, presence_history_limit_days }: Snapshot) {
  const { presences, lastUpdateId } = await presencesFor<v.InferOutput<typeof presencesSchema>>(context, {
    form: options.slim_presence ? 'slim' : 'legacy',
    historyDays: presence_history_limit_days,
    afterId: -1,
  });
  if (!options.slim_presence) return { presences };
  return {
    presences,
    presence_last_update_id: lastUpdateId === 0 ? -1 : lastUpdateId,
    server_timestamp: context.now / 1000,
  };
}
