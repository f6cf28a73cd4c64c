import type { VisibilityPolicy } from '../../rules/topics.ts';

/** A user with a device who has received a message of another user and has not read it. */
export interface PushCandidate {
  user_id: number;
  is_mentioned: boolean;
  /** Mentioned by a wildcard mention. */
  is_mentioned_with_all: boolean;
  visibility_policy: VisibilityPolicy;
  /** From `Subscription`. false and null in direct conversations. */
  is_channel_muted: boolean;
  push_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /** Last presence report of a client in milliseconds. null: never. */
  connected_ms: number | null;
}

export interface PushNotice {
  user_id: number;
  message_id: number;
  /** true: the message was read or deleted, so remove the notification from devices. false: it is only outdated. */
  is_withdrawn: boolean;
}

/** Sent notifications. All methods commute with each other and with sending, so they run in `shared` writes. */
export interface PushNoticeStore {
  /** Active users who may be notified of a message, ordered by ID, after a user. Without users who muted the sender. */
  candidates(messageId: number, afterUserId: number, limit: number): Promise<PushCandidate[]>;
  /** Records notifications, until a time. Returns the users who had none before, sorted. */
  add(messageId: number, userIds: readonly number[], untilMs: number): Promise<number[]>;
  /** The users with a notification who can still see the message and have not read it, sorted. */
  standing(messageId: number, userIds: readonly number[]): Promise<number[]>;
  /** Marks the user's notifications of these messages for removal from devices. True if there were any. */
  withdraw(userId: number, messageIds: readonly number[], dueMs: number): Promise<boolean>;
  /** Marks all notifications of these messages for removal from devices. True if there were any. */
  withdrawMessages(messageIds: readonly number[], dueMs: number): Promise<boolean>;
  /** Time when the next one is due, in milliseconds. */
  nextDue(): Promise<number | undefined>;
  /** Removes and returns due rows, oldest first. Skips rows that another transaction is taking. */
  takeDue(nowMs: number, limit: number): Promise<PushNotice[]>;
}
