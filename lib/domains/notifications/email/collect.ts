import { logged } from '../../../events/decisions.ts';
import { type DueWork, inBatches } from '../../../operation/feature.ts';
import type { EmailBatch } from '../../../storage/interface/notifications.ts';
import { announces } from '../program/program.ts';
import { deliverNotification } from './deliver.ts';
import { followsEmailSettings, sendsEmails } from './emails.ts';
import type { CollectedMessages } from './missed-messages.ts';

const PERIODS_PER_TRANSACTION = 100;

/**
 * Turns ended periods into outbox items for the e-mails and, for the program, decisions in the event log. It does so in
 * one transaction: each message is in one of them, even after a kill.
 */
export const endedPeriods: DueWork = {
  name: 'e-mail notifications',
  nextDue: async (tx, services) => (followsEmailSettings(services) ? tx.emailNotices.nextDue() : undefined),
  run: (services, isStopping) =>
    inBatches(PERIODS_PER_TRANSACTION, isStopping, () =>
      services.asSystem('append', async ({ tx, now, enqueue, afterCommit }) => {
        const batches = await tx.emailNotices.takeDue(now, PERIODS_PER_TRANSACTION);
        const collected = batches.map(collectedFrom);
        if (sendsEmails(services)) for (const one of collected) enqueue(deliverNotification(one));
        if (announces(services, 'email')) {
          const decisions = collected.map((one) => logged({ way: 'email', ...one }));
          await tx.events.append(decisions, now);
          afterCommit(() => services.hub.wake());
        }
        return batches.length;
      }),
    ),
};

function collectedFrom({ user_id, notices, messages }: EmailBatch): CollectedMessages {
  return {
    user_id,
    message_ids: notices.map(({ message_id }) => message_id),
    groups: notices.flatMap(({ message_id, group_id }) => (group_id === null ? [] : [[message_id, group_id]])),
    uncounted: messages - notices.length,
  };
}
