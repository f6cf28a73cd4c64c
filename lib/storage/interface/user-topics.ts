import type { VisibilityPolicy } from '../../rules/topics.ts';
import type { Conversation } from './conversations.ts';

/** Visibility policy of a user for a topic, if it differs from that of the channel. */
export interface UserTopic {
  user_id: number;
  channel_id: number;
  /** As first given; compared without regard to case. */
  topic: string;
  visibility_policy: Exclude<VisibilityPolicy, 0>;
  last_updated: number;
}

export type TopicPlace = Pick<Conversation, 'id' | 'channel_id' | 'topic'>;

export type TopicName = Pick<UserTopic, 'channel_id' | 'topic'>;

/** Decides whether participation in a topic changes the user's policy for it. */
export interface TopicStanding {
  /** 0 if nothing is stored. */
  visibility_policy: VisibilityPolicy;
  is_channel_muted: boolean;
  /** The topic has messages, or received messages if only these were requested. */
  has_messages: boolean;
}

export interface UserTopicStore {
  /** Ordered by channel and topic. */
  ofUser(userId: number): Promise<UserTopic[]>;
  get(userId: number, name: TopicName): Promise<UserTopic | undefined>;
  count(userId: number): Promise<number>;
  /** At most `limit` policies of these users in channels, ordered by user and topic. */
  inChannels(channelIds: readonly number[], userIds: readonly number[], limit: number): Promise<UserTopic[]>;
  /** Policies of all users for the topics, including deactivated accounts. Ordered by user. */
  ofTopics(names: readonly TopicName[]): Promise<UserTopic[]>;
  /** Policies for one topic, ordered by user: at most `limit` of users with IDs above `after`. */
  ofTopic(name: TopicName, after: number, limit: number): Promise<UserTopic[]>;
  /** Subscribers who have notices of the resolved topic as unread, by their settings. Not bots. Ascending. */
  wantingResolveNotices(name: TopicName): Promise<number[]>;
  standing(userId: number, conversation: TopicPlace, options?: { receivedOnly?: boolean }): Promise<TopicStanding>;
  set(userIds: readonly number[], topic: Omit<UserTopic, 'user_id'>): Promise<void>;
  /**
   * Sets the policy "followed" for those of the users who have the flag `mentioned` on the message. They must be
   * active, must not have muted the topic, and must have chosen to follow topics that mention them. Returns the IDs of
   * users who did not follow it before, sorted.
   */
  followWhereMentioned(
    messageId: number,
    userIds: readonly number[],
    topic: TopicName & { last_updated: number },
  ): Promise<number[]>;
  /** Moves the policies of the users from one topic to another. They must have none for `to`, unless it is the same. */
  move(userIds: readonly number[], from: TopicName, to: TopicName & { last_updated: number }): Promise<void>;
  remove(userIds: readonly number[], name: TopicName): Promise<void>;
}
