import { defineFeature } from '../../../kernel/feature.ts';
import { announceEdited, announceSent } from './announce.ts';
import { fanOut } from './fan-out.ts';
import { sendBatch } from './send-batch.ts';
import { dueNotices, removeFromPhones, withdrawDeleted, withdrawRead } from './withdrawal.ts';

/**
 * Push notifications of messages. Sending a message adds an outbox row (`announce.ts`). The worker selects the
 * recipients (`fan-out.ts`, by the rule in `rules/push-notifications.ts`), sends notifications in batches
 * (`send-batch.ts`) and removes read messages from phones (`withdrawal.ts`).
 */
export const pushNotifications = defineFeature({
  operations: [],
  dueWork: [dueNotices],
  outbox: [fanOut, sendBatch, removeFromPhones],
  consequences: { sent: announceSent, edited: announceEdited, deleting: withdrawDeleted, read: withdrawRead },
});
