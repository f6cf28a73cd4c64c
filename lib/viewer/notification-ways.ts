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

/** A way to notify users of messages, such as push notifications. It does not decide again which users to notify. */
export interface NotificationWay {
  /** The personal settings of which reasons count. */
  readonly settings: WaySettings;
  /** Whether this process is configured for it. */
  isOn(services: Services): boolean;
  reaches(user: User, candidate: NotificationCandidate): boolean;
  /** Adds the notifications to send, in the transaction of the decision. */
  notify(context: TransactionContext<'anyone'>, message: PlacedMessage, notified: readonly Notified[]): Promise<void>;
}
