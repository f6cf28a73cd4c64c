import type { User } from '../model/users.ts';
import type { NotificationReason, WaySettings } from '../rules/notifications.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { NotificationCandidate } from '../storage/interface/notifications.ts';
import type { Services, TransactionContext } from './context.ts';

/** A user to notify of a message, and the most important reason that counts for the way. */
export interface Notified {
  user: User;
  reason: NotificationReason;
  /** The group whose mention is the only mention of the user. */
  group_id?: number | undefined;
}

/** After this, reading a message no longer removes its notification from devices. */
export const KEEP_NOTICES_MS = 30 * 24 * 3_600_000;

/** A way to notify users of messages, such as push notifications. It does not decide again which users to notify. */
export interface NotificationWay {
  /** The personal settings of which reasons count. */
  readonly settings: WaySettings;
  /**
   * It notifies devices. Each user is notified once of a message on all devices, and reading the message removes the
   * notifications.
   */
  readonly onDevices?: true;
  /** Whether this process is configured for it. */
  isOn(services: Services): boolean;
  reaches(user: User, candidate: NotificationCandidate, services: Services): boolean;
  /** Adds the notifications to send, in the transaction of the decision. */
  notify(context: TransactionContext<'anyone'>, message: PlacedMessage, notified: readonly Notified[]): Promise<void>;
}
