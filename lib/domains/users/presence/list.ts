import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { HISTORY_DAYS, legacyPresences, presencesFor, serverTimestamp } from './presence.ts';

export const listPresences = defineOperation({
  name: 'presence.list',
  http: 'GET /realm/presence',
  summary: 'List the presence of all users who were online in the last 14 days',
  description: 'A user without a report for 200 seconds is offline, whatever the last status is.',
  access: 'user',
  result: v.object({ server_timestamp: serverTimestamp, presences: legacyPresences }),
  async run(context) {
    const { presences, server_timestamp } = await presencesFor<v.InferOutput<typeof legacyPresences>>(context, {
      form: 'legacy',
      historyDays: HISTORY_DAYS,
      afterId: -1,
    });
    return { server_timestamp, presences };
  },
});
