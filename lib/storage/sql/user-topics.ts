import { foldTopic } from '../../rules/fold.ts';
import { FOLLOWED, MUTED, type VisibilityPolicy } from '../../rules/topics.ts';
import type { TopicName, TopicPlace, TopicStanding, UserTopic, UserTopicStore } from '../interface/user-topics.ts';
import { inOrder, SqlStore } from './connection.ts';
import { FLAG_BITS, newestCovered } from './read-rule.ts';
import { record } from './record.ts';

const USER_TOPIC = record<UserTopic>({
  user_id: 'integer',
  channel_id: 'integer',
  topic: 'text',
  visibility_policy: 'integer',
  last_updated: 'integer',
});

const ALL = `SELECT ${USER_TOPIC.of('t')} FROM user_topics t`;
const OF_USER = `${ALL} WHERE t.user_id = ? ORDER BY t.channel_id, t.topic_key`;
const ONE = `${ALL} WHERE t.user_id = ? AND t.channel_id = ? AND t.topic_key = ?`;
const COUNT = 'SELECT COUNT(*) AS count FROM user_topics WHERE user_id = ?';
const IN_CHANNELS = `
  ${ALL} WHERE t.user_id IN_IDS(?) AND t.channel_id IN_IDS(?)
  ORDER BY t.user_id, t.topic_key, t.channel_id LIMIT ?`;
const OF_TOPICS = `
  SELECT ${USER_TOPIC.of('t')} FROM PAIRS(?) AS p JOIN user_topics t ON t.channel_id = p.a AND t.topic_key = p.c
  ORDER BY t.user_id, t.channel_id, t.topic_key`;
const OF_TOPIC = `
  SELECT ${USER_TOPIC.of('t')} FROM user_topics t
  WHERE t.channel_id = ? AND t.topic_key = ? AND t.user_id > ? ORDER BY t.user_id LIMIT ?`;

const standing = (hasMessages: string) => `
  SELECT
    (SELECT t.visibility_policy FROM user_topics t
      WHERE t.user_id = ? AND t.channel_id = ? AND t.topic_key = ?) AS visibility_policy,
    EXISTS (SELECT 1 FROM subscriptions s
      WHERE s.user_id = ? AND s.channel_id = ? AND s.active = 1 AND s.is_muted = 1) AS is_channel_muted,
    ${hasMessages} AS has_messages`;
const STANDING = standing('EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = ?)');
const STANDING_AMONG_RECEIVED = standing(`EXISTS (
  SELECT 1 FROM subscription_periods p
  WHERE p.user_id = ? AND p.channel_id = ? AND ${newestCovered('p', 'CAST(? AS BIGINT)')} IS NOT NULL)`);

const KEPT = `DO UPDATE SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
  last_updated = excluded.last_updated`;
const COLUMNS = '(user_id, channel_id, topic_key, topic, visibility_policy, last_updated)';
const VALUES = `g.id, CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)`;
// Each account is looked up separately. Without statistics, PostgreSQL expects a single account to match the
// conditions. With a join, it would compare each account with the whole list.
const each = (isWanted: string) => `
  INSERT INTO user_topics ${COLUMNS} SELECT ${VALUES} FROM IDS(?) AS g
  WHERE (SELECT ${isWanted} FROM users u WHERE u.id = g.id) ORDER BY g.id`;
const SET = `${each('true')}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}`;
// The setting is on by default, and only settings that differ from their default are stored.
const FOLLOW = `${each(`u.is_active = 1 AND u.bot_type IS NULL AND u.is_system_bot = 0
    AND u.settings NOT LIKE '%"automatically_follow_topics_where_mentioned":false%'
    AND EXISTS (SELECT 1 FROM message_flags f
      WHERE f.message_id = ? AND f.user_id = u.id AND (f.bits & ${FLAG_BITS.mentioned}) <> 0)`)}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}
  WHERE user_topics.visibility_policy NOT IN (${MUTED}, ${FOLLOWED})
  RETURNING user_id`;
const MOVE = `
  UPDATE user_topics SET channel_id = ?, topic_key = ?, topic = ?, last_updated = ?
  WHERE user_id IN_FEW(?) AND channel_id = ? AND topic_key = ?`;
const REMOVE = 'DELETE FROM user_topics WHERE user_id IN_FEW(?) AND channel_id = ? AND topic_key = ?';

export class SqlUserTopics extends SqlStore implements UserTopicStore {
  readonly ofUser = this.statement.many(USER_TOPIC, OF_USER);
  readonly count = this.statement.count(COUNT);

  async get(userId: number, { channel_id, topic }: TopicName): Promise<UserTopic | undefined> {
    return this.connection.one(USER_TOPIC, ONE, [userId, channel_id, foldTopic(topic)]);
  }

  async inChannels(channelIds: readonly number[], userIds: readonly number[], limit: number): Promise<UserTopic[]> {
    if (userIds.length === 0 || channelIds.length === 0) return [];
    const given = [JSON.stringify(userIds), JSON.stringify(channelIds), limit];
    return this.connection.many(USER_TOPIC, IN_CHANNELS, given);
  }

  async ofTopics(names: readonly TopicName[]): Promise<UserTopic[]> {
    const wanted = names.map(({ channel_id, topic }) => [channel_id, 0, foldTopic(topic)]);
    return this.connection.many(USER_TOPIC, OF_TOPICS, [JSON.stringify(wanted)]);
  }

  async ofTopic({ channel_id, topic }: TopicName, after: number, limit: number): Promise<UserTopic[]> {
    return this.connection.many(USER_TOPIC, OF_TOPIC, [channel_id, foldTopic(topic), after, limit]);
  }

  async standing(
    userId: number,
    conversation: TopicPlace,
    { receivedOnly = false }: { receivedOnly?: boolean } = {},
  ): Promise<TopicStanding> {
    const { id, channel_id, topic } = conversation;
    const channel = channel_id as number;
    const place = [userId, channel, foldTopic(topic), userId, channel];
    const row = await this.connection.get<{
      visibility_policy: VisibilityPolicy | null;
      is_channel_muted: number | boolean;
      has_messages: number | boolean;
    }>(
      receivedOnly ? STANDING_AMONG_RECEIVED : STANDING,
      receivedOnly ? [...place, userId, channel, id] : [...place, id],
    );
    return {
      visibility_policy: row?.visibility_policy ?? 0,
      is_channel_muted: Boolean(row?.is_channel_muted),
      has_messages: Boolean(row?.has_messages),
    };
  }

  async set(userIds: readonly number[], topic: Omit<UserTopic, 'user_id'>): Promise<void> {
    if (userIds.length === 0) return;
    await this.connection.run(SET, [...values(topic), JSON.stringify(userIds)]);
  }

  async followWhereMentioned(
    messageId: number,
    userIds: readonly number[],
    topic: TopicName & { last_updated: number },
  ): Promise<number[]> {
    if (userIds.length === 0) return [];
    const followers = await this.connection.column(FOLLOW, [
      ...values({ ...topic, visibility_policy: FOLLOWED }),
      JSON.stringify(userIds),
      messageId,
    ]);
    return inOrder(followers);
  }

  async move(
    userIds: readonly number[],
    from: TopicName,
    { channel_id, topic, last_updated }: TopicName & { last_updated: number },
  ): Promise<void> {
    if (userIds.length === 0) return;
    await this.connection.run(MOVE, [
      ...[channel_id, foldTopic(topic), topic, last_updated],
      ...[JSON.stringify(userIds), from.channel_id, foldTopic(from.topic)],
    ]);
  }

  async remove(userIds: readonly number[], { channel_id, topic }: TopicName): Promise<void> {
    if (userIds.length === 0) return;
    await this.connection.run(REMOVE, [JSON.stringify(userIds), channel_id, foldTopic(topic)]);
  }
}

function values({ channel_id, topic, visibility_policy, last_updated }: Omit<UserTopic, 'user_id'>) {
  return [channel_id, foldTopic(topic), topic, visibility_policy, last_updated];
}
