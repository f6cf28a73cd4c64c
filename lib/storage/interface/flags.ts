export type MessageFlag = 'starred' | 'collapsed' | 'mentioned' | 'wildcard_mentioned' | 'has_alert_word';

/** All messages of a topic, which are known to lie in a range of ids. */
export interface WholeTopic {
  conversation_id: number;
  from_id: number;
  to_id: number;
}

/** What is stored of a message for one user: what does not follow from what they have read. */
export interface FlagStore {
  /** Sets or clears a stored flag; returns the messages it changed on. */
  set(userId: number, messageIds: readonly number[], flag: MessageFlag, on: boolean): Promise<number[]>;
  /**
   * Sets a stored flag for those of the users, or for all, who received the message and can see it now:
   * subscribers of its channel, or everybody taking part. Returns whose message carries it, sorted.
   */
  setForReaders(messageId: number, userIds: readonly number[] | 'all', flag: MessageFlag): Promise<number[]>;
  /**
   * Sets a stored flag for pairs of a new message and a user, but for those whose user did not receive it; returns the
   * pairs that carry it.
   */
  setForReceivers(
    pairs: readonly { message_id: number; user_id: number }[],
    flag: MessageFlag,
  ): Promise<{ message_id: number; user_id: number }[]>;
  /** Takes from everybody what follows from what a message says: mentions, alert words. */
  dropContentFlags(messageId: number): Promise<void>;
  /** Messages carrying the flag, ascending. */
  messagesWith(userId: number, flag: MessageFlag, limit: number): Promise<number[]>;
  /**
   * Remembers that somebody takes part in a message that they did not receive, by writing it or reacting to
   * it: they count among those with a stored flag. Nothing for whoever received it.
   */
  follow(userId: number, messageId: number): Promise<void>;
  /** Active accounts with a stored flag on one of the messages, sorted; without the subscribers of a channel, if it is given. */
  holders(messageIds: readonly number[], withoutSubscribersOf?: number): Promise<number[]>;
  /**
   * Active accounts with a stored flag on a message of the topic, sorted, without the subscribers of its channel.
   * Costs what the topic has of messages where the range has many flags, and next to nothing where it has few.
   */
  outsiders(topic: WholeTopic): Promise<number[]>;
  /** Drops every flag of the users on messages of the conversation: on those given, or on all. */
  forget(userIds: readonly number[], conversationId: number, messageIds?: readonly number[]): Promise<void>;
}
