/** Each of the last two wildcard flags also sets `wildcard_mentioned`, their old name. */
export type MentionFlag = 'mentioned' | 'wildcard_mentioned' | 'stream_wildcard_mentioned' | 'topic_wildcard_mentioned';

export type MessageFlag = MentionFlag | 'starred' | 'collapsed' | 'has_alert_word';

/** All messages of a topic, which are within a range of IDs. */
export interface WholeTopic {
  conversation_id: number;
  from_id: number;
  to_id: number;
}

/** Stored flags of messages for a user. `read` is not stored as a flag. */
export interface FlagStore {
  /** Sets a stored flag; returns the changed messages. */
  set(userId: number, messageIds: readonly number[], flag: MessageFlag): Promise<number[]>;
  clear(userId: number, messageIds: readonly number[], flag: MessageFlag): Promise<number[]>;
  /**
   * Sets a stored flag for users (these or all) who received the message and can see it now: subscribers of its
   * channel, or participants. Returns the users with the flag, sorted.
   */
  setForReaders(messageId: number, userIds: readonly number[] | 'all', flag: MessageFlag): Promise<number[]>;
  /**
   * Sets a stored flag for pairs of a new message and a user. Skips users who did not receive the message. Returns the
   * pairs with the flag.
   */
  setForReceivers(
    pairs: readonly { message_id: number; user_id: number }[],
    flag: MessageFlag,
  ): Promise<{ message_id: number; user_id: number }[]>;
  /** Removes flags that depend on the content (mentions, alert words) for all users. Marks the mentioned users. */
  dropContentFlags(messageId: number): Promise<void>;
  messagesWith(userId: number, flag: MessageFlag, limit: number): Promise<number[]>;
  /**
   * Adds a row of flags for a user who has sent a message or reacted to it without having received it. Does nothing for
   * a user who received it.
   */
  follow(userId: number, messageId: number): Promise<void>;
  /** Active accounts with a stored flag on one of the messages, sorted. Optionally without subscribers of a channel. */
  holders(messageIds: readonly number[], withoutSubscribersOf?: number): Promise<number[]>;
  /**
   * Active accounts with a stored flag on a message of the topic, sorted, without the subscribers of its channel. Cheap
   * if the range has few flags. Otherwise it reads all messages of the topic.
   */
  outsiders(topic: WholeTopic): Promise<number[]>;
  /** Deletes all flags of the users on messages of the conversation: on these messages, or on all. */
  forget(userIds: readonly number[], conversationId: number, messageIds?: readonly number[]): Promise<void>;
}
