import * as v from 'valibot';
import { defineEvent } from '../../../events/define-event.ts';
import type { AccountContext } from '../../../viewer/context.ts';

export const alertWordsChanged = defineEvent('alert_words', {
  summary: "The reader's alert words changed. Contains all of them.",
  fields: { alert_words: v.array(v.string()) },
  lookUp: { forReader: async ({ tx }, reader) => ({ alert_words: await tx.alertWords.of(reader.id) }) },
  // Looked up at delivery, so that the log does not store the whole list with each change.
  forClient: ({ alert_words = [] }: { alert_words?: string[] }) => ({ alert_words }),
});

/** Sends the event to the caller's clients. @returns all alert words of the caller */
export async function emitAlertWords({ tx, actor, emit }: AccountContext): Promise<string[]> {
  emit({ users: [actor.id] }, alertWordsChanged({}));
  return tx.alertWords.of(actor.id);
}
