import { chunked } from '../../../base/lists.ts';
import { BY_PUSH, type NotificationReason } from '../../../rules/notifications.ts';
import type { NotificationWay } from '../../../viewer/notification-ways.ts';
import { type Recipient, sendBatch } from './send-batch.ts';

const MENTIONED: Partial<Record<NotificationReason, 'own' | 'all'>> = { mention: 'own', 'mention of all': 'all' };
const USERS_PER_ITEM = 100;
/** After this, a read message is no longer removed from phones. */
const KEEP_MS = 30 * 24 * 3_600_000;

/** Push notifications, through the relay. Records each user, so that a repeated decision does not notify them twice. */
export const phones: NotificationWay = {
  settings: BY_PUSH,
  isOn: ({ options }) => options.pushRelay !== undefined,
  reaches: (_, { has_device }) => has_device,
  async notify({ tx, now, enqueue }, { id: message_id }, notified) {
    const recipients = notified.map(({ user, reason, group_id }): Recipient => {
      const mention = MENTIONED[reason];
      return {
        user_id: user.id,
        ...(mention ? { mention } : {}),
        ...(group_id === undefined ? {} : { group_id }),
      };
    });
    const ids = recipients.map(({ user_id }) => user_id);
    const added = new Set(await tx.pushNotices.add(message_id, ids, now + KEEP_MS));
    const fresh = recipients.filter(({ user_id }) => added.has(user_id));
    for (const recipients of chunked(fresh, USERS_PER_ITEM)) enqueue(sendBatch({ message_id, recipients }));
    const withTokens = new Set((await tx.pushTokens.ofAll([...added])).map(({ user_id }) => user_id));
    for (const recipient of fresh) {
      if (withTokens.has(recipient.user_id)) enqueue(sendBatch({ message_id, recipients: [recipient], isPlain: true }));
    }
  },
};
