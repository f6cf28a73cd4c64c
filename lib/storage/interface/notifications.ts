import type { NotificationFacts } from '../../rules/notifications.ts';
import type { PlacedMessage } from './messages.ts';

/** A user who has received a message of another user and has not read it. */
export interface NotificationCandidate extends NotificationFacts {
  user_id: number;
  /** Last presence report of a client in milliseconds. null: never. */
  connected_ms: number | null;
  /** Whether an earlier version of the message mentions the user. */
  was_mentioned: boolean;
  /** Whether a phone of the user can get push notifications. */
  has_phone: boolean;
  /** Whether a browser of the user gets push notifications. */
  has_browser: boolean;
}

/** A message that waits for the e-mail about it. */
interface EmailNotice {
  user_id: number;
  /** The group whose mention is the only mention of the user. null: none. */
  group_id: number | null;
  /** When the e-mail is due, unless an earlier message of the conversation waits. */
  due_ms: number;
}

/** The `conversation_id` of a period that collects messages of several conversations. */
export const SEVERAL_CONVERSATIONS = 0;

/** The messages of one e-mail. */
export interface EmailBatch {
  user_id: number;
  /** Or `SEVERAL_CONVERSATIONS`. */
  conversation_id: number;
  /** Senders of the messages, without those of deleted messages. */
  sender_ids: number[];
  notices: { message_id: number; group_id: number | null }[];
  /** Number of messages that waited. More than `notices` above `MAX_EMAIL_NOTICES`. */
  messages: number;
}

/** Messages stored for one account and conversation. The period only counts later ones. */
export const MAX_EMAIL_NOTICES = 500;

/** What decides about a message that a user has received and not read. */
export interface StandingNotice extends NotificationFacts {
  message_id: number;
  conversation_id: number;
  /** null: direct. */
  channel_id: number | null;
}

/** A mail server has refused the address of an account: it does not exist. */
interface EmailBounce {
  user_id: number;
  address: string;
  bounced_ms: number;
}

/** E-mails to an account, or about its messages. */
export interface EmailCount {
  user_id: number;
  is_sender: boolean;
  emails: number;
}

/** The current or last weekly digest. */
export interface Digest {
  /** When it was due. */
  due_ms: number;
  /** The digest has reached users up to this ID; null: all users. */
  after_user_id: number | null;
}

/** Whose settings of channels count: those of e-mail, of push notifications, or both. */
export interface ByWays {
  email: boolean;
  push: boolean;
}

/** Messages that wait for the e-mails about them. All methods commute with each other and with sending. */
export interface EmailNoticeStore {
  /** At most `limit` subscribers who want all messages of the channel. Only accounts and subscriptions change it. */
  choosers(channelId: number, limit: number, ways: ByWays): Promise<number[]>;
  /**
   * A page of the users that a message concerns: the first ones by ID, after a user. It mentions them, or they follow
   * the topic, take part in the direct conversation, or want all messages. The last page has fewer than `limit`.
   */
  concerned(
    message: Pick<PlacedMessage, 'id' | 'conversation_id' | 'channel_id' | 'topic'>,
    afterUserId: number,
    limit: number,
    ways: ByWays,
  ): Promise<number[]>;
  /**
   * Users of the list that the message may notify, by ID in order. Leaves out readers of the message, inactive users
   * and users who muted its sender. `onlyDevices` also leaves out users without a phone or browser.
   */
  candidates(
    messageId: number,
    userIds: readonly number[],
    options: { onlyDevices: boolean },
  ): Promise<NotificationCandidate[]>;
  /** Lets a message wait for these users. The period of a conversation starts with its first message. */
  add(message: Pick<PlacedMessage, 'id' | 'conversation_id'>, notices: readonly EmailNotice[]): Promise<void>;
  nextDue(): Promise<number | undefined>;
  /** Removes and returns what is due, oldest first. Skips what another transaction is taking. */
  takeDue(nowMs: number, limit: number): Promise<EmailBatch[]>;
  /**
   * Adds to the counts of accounts, and returns the sums since `since_ms`, which is the time of the first one. A count
   * that began at or before `startedAfterMs` begins again.
   */
  count(
    added: readonly EmailCount[],
    now: { nowMs: number; startedAfterMs: number },
  ): Promise<(EmailCount & { since_ms: number })[]>;
  /** Lets the messages of batches wait again, in one period for each account: that of several conversations. */
  postpone(batches: readonly (EmailBatch & { due_ms: number })[]): Promise<void>;
  /** The messages that the user can still see and has not read, ordered by ID. */
  standing(userId: number, messageIds: readonly number[]): Promise<StandingNotice[]>;
  /** Records a bounce, and deletes bounces of the account before a time. */
  noteBounce(bounce: EmailBounce, keepSinceMs: number): Promise<void>;
  /** Times of the bounces of an account's address since a time, ascending. */
  bouncesOf(userId: number, address: string, sinceMs: number): Promise<number[]>;
  lastDigest(): Promise<Digest | undefined>;
  /** Stores how far the digest has come, and forgets earlier digests. */
  setDigest(digest: Digest): Promise<void>;
  /** Active users who want the digest and have not been online since a time. Ordered by ID. */
  digestReaders(afterUserId: number, limit: number, awaySinceMs: number): Promise<number[]>;
}
