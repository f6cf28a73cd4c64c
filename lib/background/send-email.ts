import { defineOutboxKind } from '../kernel/outbox.ts';
import type { Email } from '../ports/mail.ts';

/** An e-mail, to be sent by the configured transport. */
export const sendEmail = defineOutboxKind<Email>('mail', {
  // Each opens a connection, and mail servers allow one client only so many.
  concurrency: 5,
  async perform({ options: { mail } }, email) {
    if (!mail) throw new Error('no mail transport is configured');
    await mail.send(email);
  },
});
