import type { VisibilityPolicy } from '../../rules/topic-visibility.ts';

/** Somebody with a device who received a message from somebody else and has not read it. */
export interface PushCandidate {
  user_id: number;
  is_mentioned: boolean;
  /** With everybody. */
  is_mentioned_with_all: boolean;
  visibility_policy: VisibilityPolicy;
  /** As `Subscription` has them; false and null in direct conversations. */
  is_channel_muted: boolean;
  push_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /** When a client of theirs reported last, milliseconds; null: never. */
  connected_ms: number | null;
}

export interface PushNotice {
  user_id: number;
  message_id: number;
  /** It has been read or is gone, and is to be taken from their phones; otherwise it is merely old. */
  is_withdrawn: boolean;
}

/** What people have been notified of. All of it commutes with its like and with sending, so it runs in `shared` writes. */
export interface PushNoticeStore {
  /** Whoever might be notified of a message, ordered by user, from after a user on. Active people, whose muted senders are left out. */
  candidates(messageId: number, afterUserId: number, limit: number): Promise<PushCandidate[]>;
  /** Notes that these are notified, until a time; returns those for whom it was not noted before, sorted. */
  add(messageId: number, userIds: readonly number[], untilMs: number): Promise<number[]>;
  /** Of these, those who are noted, can still see the message and have not read it, sorted. */
  standing(messageId: number, userIds: readonly number[]): Promise<number[]>;
  /** What somebody was notified of among these messages is to be taken from their phones. True where there was any. */
  withdraw(userId: number, messageIds: readonly number[], dueMs: number): Promise<boolean>;
  /** What anybody was notified of among these messages is to be taken from their phones. True where there was any. */
  withdrawMessages(messageIds: readonly number[], dueMs: number): Promise<boolean>;
  /** When the next falls due, milliseconds. */
  nextDue(): Promise<number | undefined>;
  /** Takes out what is due, oldest first; what another transaction is taking out is passed over. */
  takeDue(nowMs: number, limit: number): Promise<PushNotice[]>;
}
