import { invitationEmails } from './invitation-emails.ts';
import { keyedMessages } from './keyed-messages.ts';
import { notificationEmails } from './notification-emails.ts';
import { pushRegistrations } from './push-registrations.ts';
import { scheduledMessages } from './scheduled-messages.ts';
import { servedUploads } from './served-uploads.ts';
import { unansweredMessages } from './unanswered-messages.ts';
import { uploads } from './uploads.ts';
import type { ENGINES } from './victims.ts';

/** Each kills so many processes on each engine. The default is all engines. */
export const SCENARIOS: readonly ((kills: number, engines?: typeof ENGINES) => void)[] = [
  invitationEmails,
  keyedMessages,
  notificationEmails,
  pushRegistrations,
  scheduledMessages,
  servedUploads,
  unansweredMessages,
  uploads,
];
