import { defineFeature } from '../../../operation/feature.ts';
import { sendBatch } from './send-batch.ts';
import { dueNotices, removeFromPhones, withdrawDeleted, withdrawRead } from './withdrawal.ts';

/**
 * Push notifications of messages: a way of `notifications/decision`, which decides who is notified (`phones.ts`). The
 * worker sends them in batches (`send-batch.ts`) and removes read messages from phones (`withdrawal.ts`).
 */
export const pushNotifications = defineFeature({
  operations: [],
  dueWork: [dueNotices],
  outbox: [sendBatch, removeFromPhones],
  consequences: { deleting: withdrawDeleted, read: withdrawRead },
});
