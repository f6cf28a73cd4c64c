import * as v from 'valibot';
import { describe, list, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { alertWordKey } from '../../../rules/alert-words.ts';
import { emitAlertWords } from './events.ts';

export const removeAlertWords = defineOperation({
  name: 'alertWords.remove',
  http: 'DELETE /users/me/alert_words',
  summary: 'Remove alert words',
  description: 'Messages that are already flagged keep the flag.',
  example: { alert_words: ['deploy'] },
  access: 'user',
  effect: 'write',
  params: {
    alert_words: describe(list(text(), 1_000), 'Case is ignored. Unknown words are skipped.'),
  },
  result: v.object({ alert_words: describe(v.array(v.string()), 'Your remaining alert words.') }),
  async run(context, { alert_words }) {
    const { tx, actor } = context;
    const present = await tx.alertWords.of(actor.id);
    const given = new Set(alert_words.map((word) => alertWordKey(word.trim())));
    const removed = present.filter((word) => given.has(alertWordKey(word)));
    if (removed.length === 0) return { alert_words: present };
    await tx.alertWords.remove(actor.id, removed);
    return { alert_words: await emitAlertWords(context) };
  },
});
