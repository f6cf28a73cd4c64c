import { defineFeature } from '../../../operation/feature.ts';
import { addAlertWords } from './add.ts';
import { alertFlags } from './alerts.ts';
import { alertWordsChanged } from './events.ts';
import { listAlertWords } from './list.ts';
import { removeAlertWords } from './remove.ts';

/** Alert words. A message that contains an alert word of a recipient is flagged for that recipient. */
export const alertWords = defineFeature({
  operations: [listAlertWords, addAlertWords, removeAlertWords],
  events: [alertWordsChanged],
  consequences: { flags: alertFlags },
  initialState: {
    alert_words: async ({ context: { tx, actor } }) => ({ alert_words: await tx.alertWords.of(actor.id) }),
  },
});
