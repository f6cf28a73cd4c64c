import { foldTopic } from '../../rules/fold.ts';
import { FOLLOWED, MUTED } from '../../rules/topics.ts';
import type { TopicName, TopicStanding, UserTopic, UserTopicStore } from '../interface/user-topics.ts';
import { FLAG_BITS, newestCovered } from './read-rule.ts';
import { record } from './record.ts';
import { count, ids, keyed, type Queries, run } from './store.ts';

const USER_TOPIC = record<UserTopic>({
  user_id: 'integer',
  channel_id: 'integer',
  topic: 'text',
  visibility_policy: 'integer',
  last_updated: 'integer',
});

const STANDING = record<TopicStanding>({
  visibility_policy: 'integer',
  is_channel_muted: 'boolean',
  has_messages: 'boolean',
});

const standing = (hasMessages: string) =>
  STANDING.one(`
  SELECT
    COALESCE((SELECT t.visibility_policy FROM user_topics t
      WHERE t.user_id = ?1 AND t.channel_id = ?2 AND t.topic_key = ?3), 0) AS visibility_policy,
    EXISTS (SELECT 1 FROM subscriptions s
      WHERE s.user_id = ?1 AND s.channel_id = ?2 AND s.active = 1 AND s.is_muted = 1) AS is_channel_muted,
    ${hasMessages} AS has_messages`);
const standingAmongAll = standing('EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = ?4)');
const standingAmongReceived = standing(`EXISTS (
  SELECT 1 FROM subscription_periods p
  WHERE p.user_id = ?1 AND p.channel_id = ?2 AND ${newestCovered('p', 'CAST(?4 AS BIGINT)')} IS NOT NULL)`);

const KEPT = `DO UPDATE SET topic = excluded.topic, visibility_policy = excluded.visibility_policy,
  last_updated = excluded.last_updated`;
const COLUMNS = '(user_id, channel_id, topic_key, topic, visibility_policy, last_updated)';
const VALUES = `g.id, CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)`;
// Each account is looked up separately. Without statistics, PostgreSQL expects a single account to match the
// conditions. With a join, it would compare each account with the whole list.
const each = (isWanted: string) => `
  INSERT INTO user_topics ${COLUMNS} SELECT ${VALUES} FROM IDS(?) AS g
  WHERE (SELECT ${isWanted} FROM users u WHERE u.id = g.id) ORDER BY g.id`;
const set = run(`${each('true')}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}`);
// The setting is on by default, and only settings that differ from their default are stored.
const follow = ids(`${each(`u.is_active = 1 AND u.bot_type IS NULL AND u.is_system_bot = 0
    AND u.settings NOT LIKE '%"automatically_follow_topics_where_mentioned":false%'
    AND EXISTS (SELECT 1 FROM message_flags f
      WHERE f.message_id = ? AND f.user_id = u.id AND (f.bits & ${FLAG_BITS.mentioned}) <> 0)`)}
  ON CONFLICT (user_id, channel_id, topic_key) ${KEPT}
  WHERE user_topics.visibility_policy NOT IN (${MUTED}, ${FOLLOWED})
  RETURNING user_id`);
const resolvePolicy = (value: string) => `FIND(u.settings, '"resolved_topic_notice_auto_read_policy":"${value}"') > 0`;
const wantingResolveNotices = ids(`
  SELECT s.user_id FROM subscriptions s JOIN users u ON u.id = s.user_id
  WHERE s.channel_id = ?1 AND s.active = 1 AND u.is_active = 1 AND u.bot_type IS NULL AND (${resolvePolicy('never')}
    OR NOT ${resolvePolicy('always')} AND EXISTS (SELECT 1 FROM user_topics t WHERE t.user_id = s.user_id
      AND t.channel_id = ?1 AND t.topic_key = ?2 AND t.visibility_policy = ${FOLLOWED}))`);
const move = run(`
  UPDATE user_topics SET channel_id = ?4, topic_key = ?5, topic = ?6, last_updated = ?7
  WHERE user_id IN_FEW(?1) AND channel_id = ?2 AND topic_key = ?3`);
const remove = run('DELETE FROM user_topics WHERE user_id IN_FEW(?) AND channel_id = ? AND topic_key = ?');

const ALL = `SELECT ${USER_TOPIC.of('t')} FROM user_topics t`;
const ofOne = USER_TOPIC.one(`${ALL} WHERE t.user_id = ? AND t.channel_id = ? AND t.topic_key = ?`);
const ofTopic = USER_TOPIC.many(
  `${ALL} WHERE t.channel_id = ? AND t.topic_key = ? AND t.user_id > ? ORDER BY t.user_id LIMIT ?`,
);

export const userTopics: Queries<UserTopicStore> = {
  ofUser: USER_TOPIC.many(`${ALL} WHERE t.user_id = ? ORDER BY t.channel_id, t.topic_key`),
  count: count('SELECT COUNT(*) AS count FROM user_topics WHERE user_id = ?'),
  inChannels: USER_TOPIC.many(`
    ${ALL} WHERE t.user_id IN_IDS(?2) AND t.channel_id IN_IDS(?1)
    ORDER BY t.user_id, t.topic_key, t.channel_id LIMIT ?3`),
  ofTopics: keyed(
    (names: readonly TopicName[]) => names.map(({ channel_id, topic }) => [channel_id, 0, foldTopic(topic)]),
    USER_TOPIC.many(`
      SELECT ${USER_TOPIC.of('t')} FROM PAIRS(?) AS p JOIN user_topics t ON t.channel_id = p.a AND t.topic_key = p.c
      ORDER BY t.user_id, t.channel_id, t.topic_key`),
  ),
  get: (connection, userId, { channel_id, topic }) => ofOne(connection, userId, channel_id, foldTopic(topic)),
  ofTopic: (connection, { channel_id, topic }, after, limit) =>
    ofTopic(connection, channel_id, foldTopic(topic), after, limit),

  wantingResolveNotices: (connection, { channel_id, topic }) =>
    wantingResolveNotices(connection, channel_id, foldTopic(topic)),
  async standing(connection, userId, conversation, { receivedOnly = false } = {}) {
    const { id, channel_id, topic } = conversation;
    const find = receivedOnly ? standingAmongReceived : standingAmongAll;
    return (await find(connection, userId, channel_id, foldTopic(topic), id)) as TopicStanding;
  },
  set: (connection, userIds, topic) => set(connection, ...values(topic), userIds),
  followWhereMentioned: (connection, messageId, userIds, topic) =>
    follow(connection, ...values({ ...topic, visibility_policy: FOLLOWED }), userIds, messageId),
  move: (connection, userIds, from, { channel_id, topic, last_updated }) =>
    move(
      connection,
      userIds,
      from.channel_id,
      foldTopic(from.topic),
      channel_id,
      foldTopic(topic),
      topic,
      last_updated,
    ),
  remove: (connection, userIds, { channel_id, topic }) => remove(connection, userIds, channel_id, foldTopic(topic)),
};

function values({ channel_id, topic, visibility_policy, last_updated }: Omit<UserTopic, 'user_id'>) {
  return [channel_id, foldTopic(topic), topic, visibility_policy, last_updated];
}
