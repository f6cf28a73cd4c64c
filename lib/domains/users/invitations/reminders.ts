import type { DueWork } from '../../../kernel/due-work.ts';
import { invitationEmail } from './emails.ts';

/** Reminders per transaction. */
const REMINDERS_PER_TRANSACTION = 500;

/** Sends reminders of pending invitations before they expire. */
export const invitationReminders: DueWork = {
  name: 'invitation reminders',
  nextDue: (tx) => tx.invitations.nextReminder(),
  async run({ storage, clock }, isStopping) {
    let taken = 0;
    for (let last = REMINDERS_PER_TRANSACTION; last === REMINDERS_PER_TRANSACTION && !isStopping(); taken += last) {
      const now = clock.now();
      last = await storage.write(
        async (tx) => {
          const reminders = await tx.invitations.takeReminders(now, REMINDERS_PER_TRANSACTION);
          const pending = reminders.filter(({ isPending }) => isPending);
          const emails = pending.map(({ id }) => invitationEmail({ invitation_id: id, kind: 'reminder' }));
          await tx.outbox.add(emails.map((email) => ({ ...email, due_ms: now })));
          return reminders.length;
        },
        { shared: true },
      );
    }
    return taken;
  },
};
