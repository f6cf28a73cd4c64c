import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, list, text } from '../../../kernel/schemas.ts';
import { alertWordKey, MAX_ALERT_WORD_LENGTH } from '../../../rules/alert-words.ts';
import { emitAlertWords } from './events.ts';

/** Of one person. Every message is searched for those of everybody, and every client has its own from the start. */
const MAX_ALERT_WORDS = 500;

export const addAlertWords = defineOperation({
  name: 'alertWords.add',
  http: 'POST /users/me/alert_words',
  summary: 'Be alerted to words, whoever writes them',
  description: `Words count as one that differ only in case; those you have stay as they are. You can have ${MAX_ALERT_WORDS}.`,
  example: { alert_words: ['deploy', 'on call'] },
  access: 'user',
  effect: 'write',
  params: v.object({
    alert_words: describe(
      list(text(MAX_ALERT_WORD_LENGTH), MAX_ALERT_WORDS),
      `Words or phrases of at most ${MAX_ALERT_WORD_LENGTH} characters; empty ones are left out.`,
    ),
  }),
  result: v.object({ alert_words: describe(v.array(v.string()), 'All you have now.') }),
  errors: [BadRequest],
  async run(context, given) {
    const { tx, actor } = context;
    const words = new Map(given.alert_words.map((word) => word.trim()).map((word) => [alertWordKey(word), word]));
    words.delete('');
    const present = await tx.alertWords.of(actor.id);
    for (const word of present) words.delete(alertWordKey(word));
    if (words.size === 0) return { alert_words: present };
    if (present.length + words.size > MAX_ALERT_WORDS) {
      throw new BadRequest(`You can have at most ${MAX_ALERT_WORDS} alert words; you have ${present.length}.`);
    }
    await tx.alertWords.add(actor.id, [...words.values()]);
    return { alert_words: await emitAlertWords(context) };
  },
});
