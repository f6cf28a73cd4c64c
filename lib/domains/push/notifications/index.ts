import { defineFeature } from '../../../kernel/feature.ts';
import { fanOut } from './fan-out.ts';
import { sendBatch } from './send-batch.ts';
import { dueNotices, removeFromPhones } from './withdrawal.ts';

/**
 * Notifications of messages. Sending one leaves a row (`announce.ts`); the worker decides who is notified
 * (`fan-out.ts`, by the rule in `rules/push-notifications.ts`), in batches encrypts it for those who can decrypt and sends it (`send-batch.ts`),
 * and takes from phones what has been read (`withdrawal.ts`).
 */
export const pushNotifications = defineFeature({
  operations: [],
  dueWork: [dueNotices],
  outbox: [fanOut, sendBatch, removeFromPhones],
});
