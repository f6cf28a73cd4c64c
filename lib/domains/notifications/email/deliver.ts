import type { Email } from '../../../adapters/mail.ts';
import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/outbox.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind, type OutboxAttempt, PermanentFailure } from '../../../operation/feature.ts';
import { BY_EMAIL } from '../../../rules/notifications.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services } from '../../../viewer/context.ts';
import { noteBounce, pausedUntil } from './bounces.ts';
import { composeNotification } from './compose.ts';
import { hasMailbox } from './emails.ts';
import { MAX_EMAILS_TO } from './hourly-limits.ts';
import { type CollectedMessages, missedConversations, missedMessages } from './missed-messages.ts';
import { composeSummary } from './summary.ts';

/**
 * Sends the e-mail about the messages of a period. Every attempt looks again at which messages the user has not read and
 * may read, and which still notify by the settings. Usually all are in one conversation: some may have been moved since.
 */
async function perform(services: Services, collected: CollectedMessages, item: OutboxAttempt): Promise<void> {
  if (collected.of_several) return sendSummary(services, collected, item);
  const found = await services.storage.read(async (tx) => {
    const missed = await missedMessages(services, tx, collected, BY_EMAIL);
    return (await mayMail(services, tx, missed[0]?.user)) ? missed : [];
  });
  for (const missed of found) {
    const id = `parlance.${item.created_ms}.${item.id}.${missed.conversation.id}`;
    await deliverTo(services, missed.user, { ...composeNotification(services, missed), id }, item);
  }
}

async function sendSummary(services: Services, collected: CollectedMessages, item: OutboxAttempt): Promise<void> {
  const found = await services.storage.read(async (tx) => {
    const missed = await missedConversations(services, tx, collected, BY_EMAIL);
    return (await mayMail(services, tx, missed?.user)) ? missed : undefined;
  });
  if (!found) return;
  const email = composeSummary(services, found, {
    name: 'collected',
    subject: (organization) => `New messages in ${organization}`,
    reason: `You get this e-mail because you got ${MAX_EMAILS_TO} e-mails in an hour. It has all further messages.`,
  });
  await deliverTo(services, found.user, email, item);
}

export const deliverNotification = defineOutboxKind<CollectedMessages>('notification email', {
  concurrency: EMAILS_AT_ONCE,
  perform,
});

/** For e-mails beyond the limit of their sender. They use another queue, so that no other e-mail waits for them. */
export const deliverBehind = defineOutboxKind<CollectedMessages>('notification email behind', {
  concurrency: 2,
  perform,
});

export async function mayMail(services: Services, tx: Transaction, user: User | undefined): Promise<boolean> {
  if (!user || !hasMailbox(user)) return false;
  return (await pausedUntil(tx, user, services.clock.now())) === undefined;
}

export async function deliverTo(services: Services, user: User, email: Email, item: OutboxAttempt): Promise<void> {
  try {
    await deliverEmail(services, email, item);
  } catch (error) {
    if (error instanceof PermanentFailure) await noteBounce(services, user);
    throw error;
  }
}
