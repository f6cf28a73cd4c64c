import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const listAlertWords = defineOperation({
  name: 'alertWords.list',
  http: 'GET /users/me/alert_words',
  summary: 'List your alert words',
  access: 'user',
  result: v.object({ alert_words: describe(v.array(v.string()), 'In alphabetical order.') }),
  async run({ tx, actor }) {
    return { alert_words: await tx.alertWords.of(actor.id) };
  },
});
