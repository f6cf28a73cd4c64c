/** A channel's topic, or a group of people in direct messages. */
export interface Conversation {
  id: number;
  channel_id: number | null;
  /** As first written; "" for direct messages. Compared without regard to case. */
  topic: string;
  /** Everybody taking part in a direct conversation, sorted; empty for topics. */
  participants: number[];
}

export interface ConversationStore {
  /** The topic's conversation, made if need be. */
  ensureTopic(channelId: number, topic: string): Promise<Conversation>;
  /** The conversations of the topic in each of the channels, made if need be; in no particular order. */
  ensureTopicInEach(channelIds: readonly number[], topic: string): Promise<Conversation[]>;
  /** The direct conversation of exactly these people, made if need be. */
  ensureDirect(userIds: readonly number[]): Promise<Conversation>;
  /** The direct conversation of each group of people, made if need be; in no particular order. */
  ensureDirects(groups: readonly (readonly number[])[]): Promise<Conversation[]>;
  topic(channelId: number, topic: string): Promise<Conversation | undefined>;
  direct(userIds: readonly number[]): Promise<Conversation | undefined>;
  byIds(ids: readonly number[]): Promise<Conversation[]>;
  /** Topics with messages after `afterMessageId`, newest first. */
  topicsOf(
    channelId: number,
    options: { receivedBy?: number; limit: number },
  ): Promise<{ name: string; max_id: number }[]>;
  /**
   * The newest message of each topic that has any; topics compare without regard to case. With a reader, the
   * newest that they received.
   */
  newestMessages(
    topics: readonly { channel_id: number; topic: string; receivedBy?: number }[],
  ): Promise<{ channel_id: number; topic: string; latest_message_id: number }[]>;
  /** Active accounts that wrote or reacted in it, sorted. */
  voices(id: number): Promise<number[]>;
  /** First and last message; undefined when there is none. */
  bounds(id: number): Promise<{ first_id: number; first_timestamp: number; last_id: number } | undefined>;
  /**
   * Gives a whole topic another name or channel, at a cost that does not follow its length. No other
   * topic of that name may hold messages. Everybody keeps what they had not read, as `messages.move` has it.
   */
  rename(
    conversation: Conversation,
    to: { channel_id: number; topic: string },
    moved: { timestamp: number; up_to: number },
  ): Promise<void>;
  /** Direct conversations of a user, newest first. */
  directsOf(userId: number, limit: number): Promise<{ conversation: Conversation; max_message_id: number }[]>;
}
