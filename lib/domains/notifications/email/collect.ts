import { type DueWork, inBatches } from '../../../operation/feature.ts';
import { deliverNotification } from './deliver.ts';
import { sendsEmails } from './emails.ts';

const PERIODS_PER_TRANSACTION = 100;

/** Turns ended periods into outbox items, in one transaction: each message is in one item, even after a kill. */
export const endedPeriods: DueWork = {
  name: 'e-mail notifications',
  nextDue: async (tx, services) => (sendsEmails(services) ? tx.emailNotices.nextDue() : undefined),
  run: (services, isStopping) =>
    inBatches(PERIODS_PER_TRANSACTION, isStopping, () =>
      services.asSystem('append', async ({ tx, now, enqueue }) => {
        const batches = await tx.emailNotices.takeDue(now, PERIODS_PER_TRANSACTION);
        for (const { user_id, notices, messages } of batches) {
          const messageIds = notices.map(({ message_id }) => message_id);
          const groups = notices.flatMap(({ message_id, group_id }) =>
            group_id === null ? [] : [[message_id, group_id]],
          );
          enqueue(
            deliverNotification({ user_id, message_ids: messageIds, groups, uncounted: messages - notices.length }),
          );
        }
        return batches.length;
      }),
    ),
};
