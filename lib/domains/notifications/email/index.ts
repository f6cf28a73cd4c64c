import { defineFeature } from '../../../operation/feature.ts';
import { endedPeriods } from './collect.ts';
import { deliverBehind, deliverNotification } from './deliver.ts';
import { deliverDigest, weeklyDigest } from './digest.ts';

/**
 * E-mails about missed messages: a way of `../decision`. A message waits in a period of its reader and conversation
 * (`emails.ts`). When the period ends, its messages become one outbox item (`collect.ts`). The item looks again at which
 * messages the reader has missed (`missed-messages.ts`), and sends the e-mail (`compose.ts`). Beyond the limits of an
 * hour (`hourly-limits.ts`), one e-mail has all further conversations (`summary.ts`). The
 * weekly digest (`digest.ts`) has the same form.
 */
export const emailNotifications = defineFeature({
  operations: [],
  dueWork: [endedPeriods, weeklyDigest],
  outbox: [deliverNotification, deliverBehind, deliverDigest],
});
