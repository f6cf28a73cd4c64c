import type { Services } from '../kernel/context.ts';
import { defineOutboxKind, Hopeless, type OutboxAttempt } from '../kernel/outbox.ts';
import { type Email, UndeliverableEmail } from '../ports/mail.ts';

/** Each opens a connection, and mail servers allow one client only so many. */
export const EMAILS_AT_ONCE = 5;

/** An e-mail, to be sent by the configured transport. */
export const sendEmail = defineOutboxKind<Email>('mail', {
  concurrency: EMAILS_AT_ONCE,
  perform: (services, email, attempt) => deliverEmail(services, email, attempt),
});

/** Sends an e-mail, by the same name however often it is tried. */
export async function deliverEmail({ options: { mail } }: Services, email: Email, item: OutboxAttempt): Promise<void> {
  if (!mail) throw new Error('no mail transport is configured');
  try {
    await mail.send({ id: `parlance.${item.created_ms}.${item.id}`, ...email });
  } catch (error) {
    throw error instanceof UndeliverableEmail ? new Hopeless(error.message) : error;
  }
}
