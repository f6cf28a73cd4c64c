import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';

export const alertWordsChanged = defineEvent('alert_words', {
  summary: "The reader's alert words changed: all of them.",
  fields: { alert_words: v.array(v.string()) },
  lookUp: { forReader: async ({ tx }, reader) => ({ alert_words: await tx.alertWords.of(reader.id) }) },
  // The log does not repeat all of them with each change.
  forClient: ({ alert_words = [] }: { alert_words?: string[] }) => ({ alert_words }),
});

/** Tells the caller's clients of all their words as they are now, and returns them. */
export async function emitAlertWords({ tx, actor, emit }: AccountContext): Promise<string[]> {
  emit({ users: [actor.id] }, alertWordsChanged({}));
  return tx.alertWords.of(actor.id);
}
