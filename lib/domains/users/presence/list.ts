import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { HISTORY_DAYS, legacyPresences, presencesFor, serverTimestamp } from './answer.ts';

export const listPresences = defineOperation({
  name: 'presence.list',
  http: 'GET /realm/presence',
  summary: 'List who is there, and who was in the last two weeks',
  description: 'Whoever reported nothing for 200 seconds is not there any more, whatever their last status says.',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({ server_timestamp: serverTimestamp, presences: legacyPresences }),
  errors: [],
  async run(context) {
    const { presences } = await presencesFor<v.InferOutput<typeof legacyPresences>>(context, {
      form: 'legacy',
      historyDays: HISTORY_DAYS,
      afterId: -1,
    });
    return { server_timestamp: context.now / 1000, presences };
  },
});
