import type { UserChannel } from './channels.ts';

/** Messages marked as read in one of several transactions. */
export interface ReadPart {
  /** Ascending. */
  message_ids: number[];
  /** The next transaction continues after this ID. Absent: nothing is left. */
  after_id?: number;
}

export interface LeftChannel extends UserChannel {
  /** Messages up to this one counted as read. */
  floor: number;
  /** The newest message when the subscription ended. */
  to_id: number;
}

export interface MessagesInChannel extends UserChannel {
  message_ids: number[];
}

export interface ReadStateStore {
  /** Flags of each message for the user, including the computed `read` and `historical`. */
  flagsOf(userId: number, messageIds: readonly number[]): Promise<Map<number, string[]>>;
  /** Unread messages of the user, newest first. */
  unread(userId: number, limit: number): Promise<{ id: number; conversation_id: number; mentioned: boolean }[]>;
  /**
   * Unread messages of each user in a subscribed channel, without explicit marks. Pairs without any are left out.
   * undefined if there are more than `limit`, or if the search would take long.
   */
  unreadInChannels(pairs: readonly UserChannel[], limit: number): Promise<MessagesInChannel[] | undefined>;
  /** Messages that each user has explicitly marked as unread in a channel. Pairs without any are left out. */
  markedInChannels(pairs: readonly UserChannel[]): Promise<MessagesInChannel[]>;
  /** Conversations with unread messages when the user left the channel, without explicit marks. Ascending. */
  conversationsLeft(left: LeftChannel): Promise<number[]>;
  /**
   * Unread messages in these conversations when the user left the channel. undefined if there are more than `limit`.
   */
  unreadLeft(left: LeftChannel, conversationIds: readonly number[], limit: number): Promise<number[] | undefined>;
  /**
   * Checks at most `limit` messages of a sender in a range, oldest first. Returns those that would be unread if the
   * sender were not muted.
   */
  unreadFrom(
    userId: number,
    senderId: number,
    range: { after_id: number; to_id: number },
    limit: number,
  ): Promise<ReadPart>;
  /** Removes explicit marks on messages of a sender, among the user's newest `limit` marks; returns the messages. */
  clearMarksFrom(userId: number, senderId: number, limit: number): Promise<number[]>;
  /** The messages that the user has explicitly marked as unread, ascending. Locks marks until the transaction ends. */
  markedAmong(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Whether the user has no unread messages. Blocks new messages until the transaction ends. */
  isAllRead(userId: number): Promise<boolean>;
  /** Marks messages as read; returns those that were unread. */
  markRead(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /**
   * Marks the newest message of a channel as read for all subscribers except these users. In a `write` transaction only,
   * because it locks no reader.
   */
  markReadExcept(userIds: readonly number[], messageId: number): Promise<void>;
  /** Marks messages as unread, in subscribed channels and direct conversations; returns those that were read. */
  markUnread(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Conversations, of all or of one channel, that may have unread messages. Without explicit marks. Ascending. */
  unreadConversations(userId: number, channelId?: number): Promise<number[]>;
  /**
   * Marks whole conversations as read, except explicit marks; returns the messages that were unread, ascending. If
   * there are more than `limit`, changes nothing and returns undefined.
   */
  markConversationsRead(
    userId: number,
    conversationIds: readonly number[],
    limit: number,
  ): Promise<number[] | undefined>;
  /**
   * Marks a part of a conversation as read, except explicit marks: up to the `limit`-th message after `afterId`, or
   * after the read range that covers it.
   */
  markConversationPart(userId: number, conversationId: number, afterId: number, limit: number): Promise<ReadPart>;
  /**
   * Removes at most `limit` explicit marks after a message: all, or those in a channel or a conversation. Returns the
   * messages that are read now. Others stay unread by the normal rules.
   */
  clearUnreadMarks(
    userId: number,
    within: { channel_id?: number; conversation_id?: number },
    afterId: number,
    limit: number,
  ): Promise<ReadPart>;
  /** Marks a range of messages in a conversation as read; returns those that were unread, ascending. */
  markRangeRead(userId: number, range: { conversation_id: number; from_id: number; to_id: number }): Promise<number[]>;
  /** Active accounts that received the message and have read it, sorted. */
  readersOf(messageId: number): Promise<number[]>;
}
