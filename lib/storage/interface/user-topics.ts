import type { VisibilityPolicy } from '../../rules/topic-visibility.ts';
import type { Conversation } from './conversations.ts';

/** What a user wants to see of a topic, where it is not what they want of its channel. */
export interface UserTopic {
  user_id: number;
  channel_id: number;
  /** As first given; compared without regard to case. */
  topic: string;
  visibility_policy: Exclude<VisibilityPolicy, 0>;
  /** Seconds. */
  last_updated: number;
}

/** A topic that there is. */
export type TopicPlace = Pick<Conversation, 'id' | 'channel_id' | 'topic'>;

export type TopicName = Pick<UserTopic, 'channel_id' | 'topic'>;

/** What decides whether taking part in a topic changes what somebody sees of it. */
export interface TopicStanding {
  /** 0 where nothing is stored. */
  visibility_policy: VisibilityPolicy;
  /** They are subscribed to the channel and have muted it. */
  is_channel_muted: boolean;
  /** The topic has messages, among those that they received if only these are asked for. */
  has_messages: boolean;
}

export interface UserTopicStore {
  /** Ordered by channel and topic. */
  ofUser(userId: number): Promise<UserTopic[]>;
  get(userId: number, name: TopicName): Promise<UserTopic | undefined>;
  count(userId: number): Promise<number>;
  /** Of the given users in channels, no more than so many, ordered by user and topic. */
  inChannels(channelIds: readonly number[], userIds: readonly number[], limit: number): Promise<UserTopic[]>;
  /** Everybody's for the topics, deactivated accounts included; ordered by user. */
  ofTopics(names: readonly TopicName[]): Promise<UserTopic[]>;
  /** What users have for one topic, ordered by user: the first `limit` of those with ids above `after`. */
  ofTopic(name: TopicName, after: number, limit: number): Promise<UserTopic[]>;
  standing(userId: number, conversation: TopicPlace, receivedOnly: boolean): Promise<TopicStanding>;
  /** Gives the users this policy for the topic, whatever they had. */
  set(userIds: readonly number[], topic: Omit<UserTopic, 'user_id'>): Promise<void>;
  /**
   * Sets the policy "followed" for users for whom the message has the flag `mentioned`, if they are active, have not
   * muted the topic, and have chosen to follow topics in which they are mentioned. Returns the IDs of users who did
   * not follow it before, sorted.
   */
  followWhereMentioned(
    messageId: number,
    userIds: readonly number[],
    topic: TopicName & { last_updated: number },
  ): Promise<number[]>;
  /** Moves what the users have for `from` to `to`, for which they must have nothing unless it is the same topic. */
  move(userIds: readonly number[], from: TopicName, to: TopicName & { last_updated: number }): Promise<void>;
  remove(userIds: readonly number[], name: TopicName): Promise<void>;
}
