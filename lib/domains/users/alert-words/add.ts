import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, list, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { alertWordKey, MAX_ALERT_WORD_LENGTH } from '../../../rules/alert-words.ts';
import { emitAlertWords } from './events.ts';

/** Per user. Each message is compared with the words of all users, and each client loads its user's words at start. */
const MAX_ALERT_WORDS = 500;

export const addAlertWords = defineOperation({
  name: 'alertWords.add',
  http: 'POST /users/me/alert_words',
  summary: 'Add alert words',
  description: `Messages that contain an alert word are flagged for you. Case is ignored. Existing words stay. You can have at most ${MAX_ALERT_WORDS} words.`,
  example: { alert_words: ['deploy', 'on call'] },
  access: 'user',
  effect: 'write',
  params: {
    alert_words: describe(
      list(text(MAX_ALERT_WORD_LENGTH), MAX_ALERT_WORDS),
      `Words or phrases of at most ${MAX_ALERT_WORD_LENGTH} characters each. Empty strings are skipped.`,
    ),
  },
  result: v.object({ alert_words: describe(v.array(v.string()), 'All your alert words.') }),
  async run(context, given) {
    const { tx, actor } = context;
    const words = new Map(given.alert_words.map((word) => word.trim()).map((word) => [alertWordKey(word), word]));
    words.delete('');
    const present = await tx.alertWords.of(actor.id);
    for (const word of present) words.delete(alertWordKey(word));
    if (words.size === 0) return { alert_words: present };
    if (present.length + words.size > MAX_ALERT_WORDS) {
      throw new BadRequest(`You have ${present.length} of at most ${MAX_ALERT_WORDS} alert words. Remove some first.`);
    }
    await tx.alertWords.add(actor.id, [...words.values()]);
    return { alert_words: await emitAlertWords(context) };
  },
});
