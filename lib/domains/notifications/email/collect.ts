import { logged } from '../../../events/decisions.ts';
import { type DueWork, inBatches } from '../../../operation/feature.ts';
import { type EmailBatch, SEVERAL_CONVERSATIONS } from '../../../storage/interface/notifications.ts';
import { announces } from '../program/program.ts';
import { deliverBehind, deliverNotification } from './deliver.ts';
import { followsEmailSettings, sendsEmails } from './emails.ts';
import { limited } from './hourly-limits.ts';
import type { CollectedMessages } from './missed-messages.ts';

const PERIODS_PER_TRANSACTION = 100;

/**
 * Turns ended periods into outbox items for the e-mails and, for the program, decisions in the event log. It does so in
 * one transaction: each message is in one of them, even after a kill. The limits of an hour are for e-mails only.
 */
export const endedPeriods: DueWork = {
  name: 'e-mail notifications',
  nextDue: async (tx, services) => (followsEmailSettings(services) ? tx.emailNotices.nextDue() : undefined),
  run: (services, isStopping) =>
    inBatches(PERIODS_PER_TRANSACTION, isStopping, () =>
      services.asSystem('append', async (context) => {
        const { tx, now, enqueue, afterCommit } = context;
        const batches = await tx.emailNotices.takeDue(now, PERIODS_PER_TRANSACTION);
        if (sendsEmails(services)) {
          const { due, behind, postponed } = await limited(context, batches);
          for (const batch of due) {
            const deliver = behind.has(batch) && !isOfSeveral(batch) ? deliverBehind : deliverNotification;
            enqueue(deliver({ ...collectedFrom(batch), ...(isOfSeveral(batch) ? { of_several: true } : {}) }));
          }
          await tx.emailNotices.postpone(postponed);
        }
        if (announces(services, 'email')) {
          // Messages of several conversations were announced when their own periods ended.
          const ended = batches.filter((batch) => !isOfSeveral(batch)).map(collectedFrom);
          const decisions = ended.map((collected) => logged({ way: 'email', ...collected }));
          await tx.events.append(decisions, now);
          afterCommit(() => services.hub.wake());
        }
        return batches.length;
      }),
    ),
};

const isOfSeveral = ({ conversation_id }: EmailBatch) => conversation_id === SEVERAL_CONVERSATIONS;

function collectedFrom({ user_id, notices, messages }: EmailBatch): CollectedMessages {
  return {
    user_id,
    message_ids: notices.map(({ message_id }) => message_id),
    groups: notices.flatMap(({ message_id, group_id }) => (group_id === null ? [] : [[message_id, group_id]])),
    uncounted: messages - notices.length,
  };
}
