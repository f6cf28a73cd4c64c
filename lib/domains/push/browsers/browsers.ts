import { BY_PUSH } from '../../../rules/notifications.ts';
import type { NotificationWay } from '../../../viewer/notification-ways.ts';
import { recipientOf } from '../notifications/phones.ts';
import { sendToBrowser } from './send.ts';

/** Push notifications in browsers. One outbox item per browser, so a retry does not repeat others. */
export const browsers: NotificationWay = {
  settings: BY_PUSH,
  onDevices: true,
  isOn: ({ options }) => options.notifications.browsers,
  reaches: (_, { has_browser }) => has_browser,
  async notify({ tx, enqueue }, { id: message_id }, notified) {
    const recipients = new Map(notified.map((one) => [one.user.id, recipientOf(one)]));
    for (const { id: browser_id, user_id } of await tx.pushBrowsers.ofAll([...recipients.keys()])) {
      const recipient = recipients.get(user_id);
      if (recipient) enqueue(sendToBrowser({ browser_id, message_id, recipient }));
    }
  },
};
