import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';

export const listAlertWords = defineOperation({
  name: 'alertWords.list',
  http: 'GET /users/me/alert_words',
  summary: 'List your alert words',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({ alert_words: describe(v.array(v.string()), 'In alphabetical order.') }),
  errors: [],
  async run({ tx, actor }) {
    return { alert_words: await tx.alertWords.of(actor.id) };
  },
});
