import type { User } from '../../../model/users.ts';
import { PLACEHOLDER_DOMAIN } from '../../../rules/names.ts';
import { BY_EMAIL } from '../../../rules/notifications.ts';
import type { Services } from '../../../viewer/context.ts';
import type { NotificationWay } from '../../../viewer/notification-ways.ts';
import { announces } from '../program/program.ts';

const DEFAULT_PERIOD_SECONDS = 120;

/** Every process that sends messages needs the option `mail`: without it, its messages send no e-mail. */
export const sendsEmails = ({ options }: Services) => options.mail !== undefined && options.notifications.email;

/** Whether messages wait for the end of a period, for the e-mail or for the notification of the program. */
export const followsEmailSettings = (services: Services) => sendsEmails(services) || announces(services, 'email');

/** How long messages of a conversation are collected, from the first one on. */
function periodMs({ settings }: User): number {
  return Number(settings.email_notifications_batching_period_seconds ?? DEFAULT_PERIOD_SECONDS) * 1000;
}

/** The address of an account whose user has none. */
export const hasMailbox = ({ delivery_email }: User) => !delivery_email.endsWith(`@${PLACEHOLDER_DOMAIN}`);

/** Notifications by the settings of e-mail. A message waits until the period of its conversation ends (`collect.ts`). */
export const emails: NotificationWay = {
  settings: BY_EMAIL,
  isOn: followsEmailSettings,
  reaches: (user, _, services) => hasMailbox(user) || announces(services, 'email'),
  async notify({ tx, now, services, afterCommit }, message, notified) {
    const notices = notified.map(({ user, group_id = null }) => ({
      user_id: user.id,
      group_id,
      due_ms: now + periodMs(user),
    }));
    await tx.emailNotices.add(message, notices);
    afterCommit(() => services.rearm());
  },
};
