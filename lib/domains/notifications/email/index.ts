import { defineFeature } from '../../../operation/feature.ts';
import { endedPeriods } from './collect.ts';
import { deliverNotification } from './deliver.ts';

/**
 * E-mails about missed messages: a way of `../decision`. A message waits in a period of its reader and conversation
 * (`emails.ts`). When the period ends, its messages become one outbox item (`collect.ts`). The item looks again at which
 * messages the reader has missed (`missed-messages.ts`), and sends the e-mail (`compose.ts`).
 */
export const emailNotifications = defineFeature({
  operations: [],
  dueWork: [endedPeriods],
  outbox: [deliverNotification],
});
