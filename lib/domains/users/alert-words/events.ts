import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';

export const alertWordsChanged = defineEvent('alert_words', {
  summary: "The reader's alert words changed: all of them.",
  fields: { alert_words: v.array(v.string()) },
});

/** Tells the caller's clients of all their words as they are now, and returns them. */
export async function emitAlertWords({ tx, actor, emit }: AccountContext): Promise<string[]> {
  const alert_words = await tx.alertWords.of(actor.id);
  emit({ users: [actor.id] }, alertWordsChanged({ alert_words }));
  return alert_words;
}
