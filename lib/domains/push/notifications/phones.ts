import { chunked } from '../../../base/lists.ts';
import { BY_PUSH, type NotificationReason } from '../../../rules/notifications.ts';
import type { NotificationWay, Notified } from '../../../viewer/notification-ways.ts';
import { type Recipient, sendBatch } from './send-batch.ts';

const MENTIONED: Partial<Record<NotificationReason, 'own' | 'all'>> = { mention: 'own', 'mention of all': 'all' };
const USERS_PER_ITEM = 100;

export function recipientOf({ user, reason, group_id }: Notified): Recipient {
  const mention = MENTIONED[reason];
  return { user_id: user.id, ...(mention ? { mention } : {}), ...(group_id === undefined ? {} : { group_id }) };
}

/** Push notifications on phones, through the relay. */
export const phones: NotificationWay = {
  settings: BY_PUSH,
  onDevices: true,
  isOn: ({ options }) => options.pushRelay !== undefined && options.notifications.phones,
  reaches: (_, { has_phone }) => has_phone,
  async notify({ tx, enqueue }, { id: message_id }, notified) {
    const all = notified.map(recipientOf);
    for (const recipients of chunked(all, USERS_PER_ITEM)) enqueue(sendBatch({ message_id, recipients }));
    const tokens = await tx.pushTokens.ofAll(notified.map(({ user }) => user.id));
    const withTokens = new Set(tokens.map(({ user_id }) => user_id));
    for (const recipient of all) {
      if (withTokens.has(recipient.user_id)) enqueue(sendBatch({ message_id, recipients: [recipient], isPlain: true }));
    }
  },
};
