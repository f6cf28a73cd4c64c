import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { addAlertWords } from './add.ts';
import { alertWordsChanged } from './events.ts';
import { listAlertWords } from './list.ts';
import { removeAlertWords } from './remove.ts';

/**
 * Words and phrases people want to be alerted to. Messages with one of them that reach its owner are flagged
 * for them (`lib/domains/messages/alerts.ts`).
 */
export const alertWords = defineFeature({
  operations: [listAlertWords, addAlertWords, removeAlertWords],
  events: [alertWordsChanged],
  initialState: {
    alert_words: async ({ context: { tx, actor } }: Snapshot) => ({ alert_words: await tx.alertWords.of(actor.id) }),
  },
});
