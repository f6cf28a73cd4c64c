/** A topic of a channel, or the participants of direct messages. */
export interface Conversation {
  id: number;
  channel_id: number | null;
  /** As first written. "" for direct messages. Compared without regard to case. */
  topic: string;
  /** All participants of a direct conversation, sorted. Empty for topics. */
  participants: number[];
}

export interface ConversationStore {
  ensureTopic(channelId: number, topic: string): Promise<Conversation>;
  /** The conversation of the topic in each channel, created if necessary. In no particular order. */
  ensureTopicInEach(channelIds: readonly number[], topic: string): Promise<Conversation[]>;
  /** The direct conversation of exactly these users, created if necessary. */
  ensureDirect(userIds: readonly number[]): Promise<Conversation>;
  /** The direct conversation of each group of users, created if necessary. In no particular order. */
  ensureDirects(groups: readonly (readonly number[])[]): Promise<Conversation[]>;
  topic(channelId: number, topic: string): Promise<Conversation | undefined>;
  direct(userIds: readonly number[]): Promise<Conversation | undefined>;
  byIds(ids: readonly number[]): Promise<Conversation[]>;
  /** Topics with messages, newest first. */
  topicsOf(
    channelId: number,
    options: { receivedBy?: number; limit: number },
  ): Promise<{ name: string; max_id: number }[]>;
  /**
   * The newest message of each topic, or with `receivedBy` the newest that this user received. Topics without messages
   * are left out. Topics are compared without regard to case.
   */
  newestMessages(
    topics: readonly { channel_id: number; topic: string; receivedBy?: number }[],
  ): Promise<{ channel_id: number; topic: string; latest_message_id: number }[]>;
  /** Active accounts that sent a message or reacted in it, sorted. */
  voices(id: number): Promise<number[]>;
  bounds(id: number): Promise<{ first_id: number; first_timestamp: number; last_id: number } | undefined>;
  /**
   * Renames a whole topic or moves it to another channel, at a cost independent of its length. No other topic with that
   * name may have messages. The read state is kept, as in `messages.move`.
   */
  rename(
    conversation: Conversation,
    to: { channel_id: number; topic: string },
    moved: { timestamp: number; up_to: number },
  ): Promise<void>;
  /** Direct conversations of a user, newest first. */
  directsOf(userId: number, limit: number): Promise<{ conversation: Conversation; max_message_id: number }[]>;
}
