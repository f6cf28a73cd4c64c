import { present } from '../../base/present.ts';
import { foldTopic } from '../../rules/fold.ts';
import type { Conversation, ConversationStore } from '../interface/conversations.ts';
import { carryOverWhole } from './moved-readers.ts';
import { raiseVersion } from './organization.ts';
import { newestCovered } from './read-rule.ts';
import { record } from './record.ts';
import { after, ids, keyed, type Queries, row, rows } from './store.ts';
import { putWords } from './word-index.ts';

const CONVERSATION = record<Conversation>({
  id: 'integer',
  channel_id: 'integer',
  topic: 'text',
  participants: {
    column: 'direct_key',
    read: (key) => (key === null ? [] : String(key).split(',').map(Number)),
  },
});

const SELECT = `SELECT ${CONVERSATION.columns} FROM conversations`;
const INSERT_TOPIC_IN_EACH = `
  INSERT INTO conversations (channel_id, topic, topic_key)
  SELECT g.id, CAST(? AS TEXT), CAST(? AS TEXT) FROM IDS(?) AS g WHERE true ORDER BY g.id
  ON CONFLICT (channel_id, topic_key) DO NOTHING RETURNING id`;
const INSERT_DIRECTS = `
  INSERT INTO conversations (topic, direct_key) SELECT '', p.c FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (direct_key) DO NOTHING RETURNING ${CONVERSATION.columns}`;
const INSERT_PARTICIPANTS = `
  INSERT INTO conversation_participants (user_id, conversation_id) SELECT p.a, p.b FROM PAIRS(?) AS p`;
const RENAME = `
  UPDATE conversations SET channel_id = ?, topic = ?, topic_key = ?, moved_timestamp = ?, moved_up_to = ?
  WHERE id = ?`;
// A topic without messages loses its name. Edits still refer to it.
const FREE_NAME = 'UPDATE conversations SET topic_key = NULL WHERE channel_id = ? AND topic_key = ? AND id <> ?';

/** PAIRS: channel, reader (0: all messages) and folded topic name. */
const NEWEST = `
  SELECT * FROM (
    SELECT w.a AS channel_id, w.c AS topic_key, CASE WHEN w.b = 0
      THEN (SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = c.id)
      ELSE (SELECT MAX(${newestCovered('p', 'c.id')})
        FROM subscription_periods p WHERE p.user_id = w.b AND p.channel_id = w.a) END AS latest_message_id
    FROM PAIRS(?) AS w JOIN conversations c ON c.channel_id = w.a AND c.topic_key = w.c
  ) AS newest WHERE latest_message_id IS NOT NULL`;

const topicsOf = rows<{ name: string; max_id: number }>(`
  SELECT name, max_id FROM (
    SELECT c.topic AS name, (SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = c.id) AS max_id
    FROM conversations c WHERE c.channel_id = ?
  ) AS topics WHERE max_id IS NOT NULL ORDER BY max_id DESC LIMIT ?`);
const receivedTopicsOf = rows<{ name: string; max_id: number }>(`
  SELECT name, MAX(max_id) AS max_id FROM (
    SELECT c.id, c.topic AS name, ${newestCovered('p', 'c.id')} AS max_id
    FROM subscription_periods p JOIN conversations c ON c.channel_id = p.channel_id
    WHERE p.channel_id = ? AND p.user_id = ?
  ) AS topics WHERE max_id IS NOT NULL GROUP BY id, name ORDER BY max_id DESC LIMIT ?`);

const DIRECT = CONVERSATION.with<{ max_id: number }>({ max_id: 'integer' });
const DIRECTS = `
  SELECT ${DIRECT.columns} FROM (
    SELECT ${CONVERSATION.of('c')},
      (SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = c.id) AS max_id
    FROM conversation_participants p LOOK_UP(conversations c, p.conversation_id)
    WHERE p.user_id = ?
  ) AS directs WHERE max_id IS NOT NULL ORDER BY max_id DESC LIMIT ?`;

/** Lookup key of a direct conversation. */
export function participantsKey(userIds: readonly number[]): string {
  return [...new Set(userIds)].sort((a, b) => a - b).join(',');
}

const byTopic = CONVERSATION.one(`${SELECT} WHERE channel_id = ? AND topic_key = ?`);

export const conversations: Queries<ConversationStore> = {
  byIds: CONVERSATION.many(`${SELECT} WHERE id IN_IDS(?) ORDER BY id`),
  topic: (connection, channelId, topic) => byTopic(connection, channelId, foldTopic(topic)),
  direct: keyed(participantsKey, CONVERSATION.one(`${SELECT} WHERE direct_key = ?`)),
  voices: ids(`
    SELECT u.id FROM users u WHERE u.is_active = 1 AND u.id IN (
      SELECT m.sender_id FROM messages m WHERE m.conversation_id = ?1
      UNION
      SELECT r.user_id FROM messages m JOIN reactions r ON r.message_id = m.id WHERE m.conversation_id = ?1)
    ORDER BY u.id`),
  bounds: row<{ first_id: number; first_timestamp: number; last_id: number }>(`
    SELECT f.id AS first_id, f.timestamp AS first_timestamp,
      (SELECT MAX(l.id) FROM messages l WHERE l.conversation_id = ?1) AS last_id
    FROM messages f WHERE f.conversation_id = ?1 ORDER BY f.id LIMIT 1`),
  directsOf: after(DIRECT.many(DIRECTS), (found) =>
    found.map(({ max_id, ...conversation }) => ({ conversation, max_message_id: max_id })),
  ),

  async ensureTopic(connection, channelId, topic) {
    const found = await conversations.topic(connection, channelId, topic);
    return found ?? present((await conversations.ensureTopicInEach(connection, [channelId], topic))[0]);
  },

  async ensureTopicInEach(connection, channelIds, topic) {
    if (channelIds.length === 0) return [];
    const [channels, key] = [JSON.stringify(channelIds), foldTopic(topic)];
    const created = await connection.column(INSERT_TOPIC_IN_EACH, [topic, key, channels]);
    const words = created.map((id): [number, string] => [id, topic]);
    const [, conversations] = await Promise.all([
      putWords(connection, 'topic_words', words),
      connection.many(CONVERSATION, `${SELECT} WHERE channel_id IN_IDS(?) AND topic_key = ?`, [channels, key]),
    ]);
    return conversations;
  },

  async ensureDirect(connection, userIds) {
    const found = await conversations.direct(connection, userIds);
    return found ?? present((await conversations.ensureDirects(connection, [userIds]))[0]);
  },

  async ensureDirects(connection, groups) {
    const keys = [...new Set(groups.map(participantsKey))];
    if (keys.length === 0) return [];
    const rows = JSON.stringify(keys.map((key) => [0, 0, key]));
    const created = await connection.many(CONVERSATION, INSERT_DIRECTS, [rows]);
    const pairs = created.flatMap(({ id, participants }) => participants.map((user) => [user, id]));
    const [conversations] = await Promise.all([
      connection.many(CONVERSATION, `${SELECT} WHERE direct_key IN_TEXTS(?)`, [JSON.stringify(keys)]),
      pairs.length > 0 && connection.run(INSERT_PARTICIPANTS, [JSON.stringify(pairs)]),
    ]);
    return conversations;
  },
  topicsOf: async (connection, channelId, { receivedBy, limit }) =>
    receivedBy === undefined
      ? topicsOf(connection, channelId, limit)
      : receivedTopicsOf(connection, channelId, receivedBy, limit),

  async newestMessages(connection, topics) {
    if (topics.length === 0) return [];
    const wanted = topics.map(({ channel_id, receivedBy = 0, topic }) => [channel_id, receivedBy, foldTopic(topic)]);
    const rows = await connection.all<{ channel_id: number; topic_key: string; latest_message_id: number }>(NEWEST, [
      JSON.stringify(wanted),
    ]);
    const found = new Map(rows.map((row) => [`${row.channel_id} ${row.topic_key}`, row.latest_message_id]));
    return topics.flatMap(({ channel_id, topic }) => {
      const latest_message_id = found.get(`${channel_id} ${foldTopic(topic)}`);
      return latest_message_id === undefined ? [] : [{ channel_id, topic, latest_message_id }];
    });
  },

  async rename(connection, conversation, to, moved) {
    if (conversation.channel_id !== to.channel_id) {
      await carryOverWhole(connection, conversation, to.channel_id, moved.up_to);
    }
    const key = foldTopic(to.topic);
    await connection.run(FREE_NAME, [to.channel_id, key, conversation.id]);
    const place = [to.channel_id, to.topic, key];
    await connection.run(RENAME, [...place, moved.timestamp, moved.up_to, conversation.id]);
    await putWords(connection, 'topic_words', [[conversation.id, to.topic]]);
    await raiseVersion(connection, 'channels');
  },
};
