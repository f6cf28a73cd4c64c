import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/outbox.ts';
import { defineOutboxKind, PermanentFailure } from '../../../operation/feature.ts';
import { BY_EMAIL } from '../../../rules/notifications.ts';
import { noteBounce, pausedUntil } from './bounces.ts';
import { composeNotification } from './compose.ts';
import { hasMailbox } from './emails.ts';
import { type CollectedMessages, missedMessages } from './missed-messages.ts';

/**
 * Sends the e-mail about the messages of a period. Every attempt looks again at which messages the user has not read and
 * may read, and which still notify by the settings. Usually all are in one conversation: some may have been moved since.
 */
export const deliverNotification = defineOutboxKind<CollectedMessages>('notification email', {
  concurrency: EMAILS_AT_ONCE,
  async perform(services, collected, item) {
    const found = await services.storage.read(async (tx) => {
      const missed = await missedMessages(services, tx, collected, BY_EMAIL);
      const user = missed[0]?.user;
      if (!user || !hasMailbox(user)) return [];
      const isPaused = (await pausedUntil(tx, user, services.clock.now())) !== undefined;
      return isPaused ? [] : missed;
    });
    for (const missed of found) {
      const email = composeNotification(services, missed);
      const id = `parlance.${item.created_ms}.${item.id}.${missed.conversation.id}`;
      try {
        await deliverEmail(services, { ...email, id }, item);
      } catch (error) {
        if (error instanceof PermanentFailure) await noteBounce(services, missed.user);
        throw error;
      }
    }
  },
});
