import type { Services } from '../access/context.ts';
import { type Email, UndeliverableEmail } from '../adapters/mail.ts';
import { defineOutboxKind, type OutboxAttempt, PermanentFailure } from '../operation/feature.ts';

/** Each e-mail may open a connection, and mail servers limit the connections of one client. */
export const EMAILS_AT_ONCE = 5;

/** Sends an e-mail with the configured `mail`. */
export const sendEmail = defineOutboxKind<Email>('mail', {
  concurrency: EMAILS_AT_ONCE,
  perform: (services, email, attempt) => deliverEmail(services, email, attempt),
});

/** Sends an e-mail. All attempts have the same message ID. */
export async function deliverEmail({ options: { mail } }: Services, email: Email, item: OutboxAttempt): Promise<void> {
  // The address of an account whose user has none.
  if (email.to.endsWith('@users.invalid')) return;
  if (!mail) throw new Error('no mail transport is configured: set the option mail of openChat');
  try {
    await mail.send({ id: `parlance.${item.created_ms}.${item.id}`, ...email });
  } catch (error) {
    throw error instanceof UndeliverableEmail ? new PermanentFailure(error.message) : error;
  }
}
