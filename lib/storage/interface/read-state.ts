/** What was marked as read in one of several transactions. */
export interface ReadPart {
  /** Ascending. */
  message_ids: number[];
  /** Where the next one goes on; absent: nothing is left. */
  after_id?: number;
}

/** A subscription that has ended. */
export interface LeftChannel {
  user_id: number;
  channel_id: number;
  /** Messages up to this one counted as read. */
  floor: number;
  /** The newest message of the time when it ended. */
  to_id: number;
}

export interface ReadStateStore {
  /** Flags of each message for the user, `read` and `historical` derived. */
  flagsOf(userId: number, messageIds: readonly number[]): Promise<Map<number, string[]>>;
  /** Unread messages of the user, newest first. */
  unread(userId: number, limit: number): Promise<{ id: number; conversation_id: number; mentioned: boolean }[]>;
  /**
   * What each user has not read in a channel they are subscribed to, explicit marks left out; pairs without any are
   * left out. Undefined where that is more than `limit`, or takes a long search.
   */
  unreadInChannels(
    pairs: readonly { user_id: number; channel_id: number }[],
    limit: number,
  ): Promise<{ user_id: number; channel_id: number; message_ids: number[] }[] | undefined>;
  /** What each user has explicitly marked as unread in a channel; pairs without any are left out. */
  markedInChannels(
    pairs: readonly { user_id: number; channel_id: number }[],
  ): Promise<{ user_id: number; channel_id: number; message_ids: number[] }[]>;
  /** Where the user had something unread when they left a channel, explicit marks left out; ascending. */
  conversationsLeft(left: LeftChannel): Promise<number[]>;
  /**
   * What the user had not read in these conversations when they left the channel; undefined where it is more than
   * `limit`.
   */
  unreadLeft(left: LeftChannel, conversationIds: readonly number[], limit: number): Promise<number[] | undefined>;
  /**
   * Looks at so many messages of a sender in a range, the oldest first: which of them the user has not read, as if
   * the sender were not muted.
   */
  unreadFrom(
    userId: number,
    senderId: number,
    range: { after_id: number; to_id: number },
    limit: number,
  ): Promise<ReadPart>;
  /** Takes away explicit marks on messages of a sender, among the newest so many of the user; returns which. */
  clearMarksFrom(userId: number, senderId: number, limit: number): Promise<number[]>;
  /** Of these messages, those that the user has explicitly marked as unread; ascending. None is marked until the transaction ends. */
  markedAmong(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Marks messages as read; returns those that were unread. */
  markRead(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Marks messages as unread, in channels the user is subscribed to and their own conversations; returns those that were read. */
  markUnread(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Marks a whole conversation as read up to a message. */
  markConversationRead(userId: number, conversationId: number, upTo: number): Promise<void>;
  /** Where the user may have something unread, of everything or in a channel; explicit marks are left out. Ascending. */
  unreadConversations(userId: number, channelId?: number): Promise<number[]>;
  /**
   * Marks whole conversations as read, but for explicit marks; returns what was unread, ascending. Where that is
   * more than `limit`, nothing is changed, and the answer undefined.
   */
  markConversationsRead(
    userId: number,
    conversationIds: readonly number[],
    limit: number,
  ): Promise<number[] | undefined>;
  /**
   * Marks a part of a conversation as read, but for explicit marks: up to the `limit`-th message after `afterId`, or
   * after the read range that covers it.
   */
  markConversationPart(userId: number, conversationId: number, afterId: number, limit: number): Promise<ReadPart>;
  /**
   * Takes away explicit marks, of everything or within a channel or a conversation: looks at so many of them after
   * a message. Returns what is read now; without its mark, the rest is as unread as what nobody has touched.
   */
  clearUnreadMarks(
    userId: number,
    within: { channel_id?: number; conversation_id?: number },
    afterId: number,
    limit: number,
  ): Promise<ReadPart>;
  /** Marks everything in a conversation as read from one of its messages to another; returns what was unread, ascending. */
  markRangeRead(userId: number, range: { conversation_id: number; from_id: number; to_id: number }): Promise<number[]>;
  /** Active accounts that received the message and have read it, sorted. */
  readersOf(messageId: number): Promise<number[]>;
}
