import { logged, type ProgramWay } from '../../../events/decisions.ts';
import { BY_PUSH } from '../../../rules/notifications.ts';
import type { Services } from '../../../viewer/context.ts';
import type { NotificationWay } from '../../../viewer/notification-ways.ts';

/** Whether the program listens to notifications of this way. Each process that sends messages needs the option. */
export const announces = ({ options }: Pick<Services, 'options'>, way: ProgramWay) =>
  options.notifications.program.includes(way);

/**
 * Notifications of the program by the settings of push notifications, at once. Those by the settings of e-mail wait with
 * the e-mails (`../email/collect.ts`). `chat.on('notification')` reads both from the event log.
 */
export const program: NotificationWay = {
  settings: BY_PUSH,
  isOn: (services) => announces(services, 'push'),
  reaches: () => true,
  async notify({ tx, now, services, afterCommit }, { id }, notified) {
    const decisions = notified.map(({ user, group_id }) =>
      logged({
        way: 'push',
        user_id: user.id,
        message_ids: [id],
        groups: group_id === undefined ? [] : [[id, group_id]],
        uncounted: 0,
      }),
    );
    await tx.events.append(decisions, now);
    afterCommit(() => services.hub.wake());
  },
};
