import type { FlagStore } from '../interface/flags.ts';
import type { Connection, SqlValue } from './connection.ts';
import { ANY_MENTION, coversMessage, FLAG_BITS, FOLLOWING_BIT, MENTIONED_BEFORE_BIT, RECEIVED } from './read-rule.ts';
import { ids, type Queries, rows, run } from './store.ts';

const setFlag = ids(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT m.id, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM messages m WHERE m.id IN_IDS(?)
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits
  WHERE (message_flags.bits & excluded.bits) = 0
  RETURNING message_id`);
const clearBits = ids(`
  UPDATE message_flags SET bits = bits & CAST(? AS BIGINT)
  WHERE message_id IN_IDS(?) AND user_id = ? AND (bits & CAST(? AS BIGINT)) <> 0
  RETURNING message_id`);
const dropBare = run('DELETE FROM message_flags WHERE message_id IN_IDS(?) AND user_id = ? AND bits = 0');

/** Up to this many stored flags, all flags of the range are read. */
const MAX_FLAGS_IN_RANGE = 5_000;
/** Up to this many flags, the users are collected from the flags. Beyond, each user is looked up. */
const MAX_COLLECTED_FLAGS = 50_000;
/** This few messages never have more flags. */
const MAX_UNCOUNTED_MESSAGES = 5;
const counted = (flags: string) => `SELECT COUNT(*) AS count FROM (${flags} LIMIT ?) AS counted`;
const COUNT_FLAGS = counted('SELECT 1 AS one FROM message_flags WHERE message_id >= ? AND message_id <= ?');
const COUNT_OF_MESSAGES = counted('SELECT 1 AS one FROM message_flags WHERE message_id IN_IDS(?)');
/** Not only the mark of an earlier mention, which is no flag. */
const HAS_FLAG = `f.bits <> ${MENTIONED_BEFORE_BIT}`;
const OF_TOPIC = `FROM messages m CROSS JOIN message_flags f
  WHERE m.conversation_id = ? AND f.message_id = m.id AND ${HAS_FLAG}`;
const COUNT_OF_TOPIC = counted(`SELECT 1 AS one ${OF_TOPIC}`);
const outside = (channel: string) => `
  SELECT u.id FROM users u WHERE u.is_active = 1 AND NOT EXISTS (
    SELECT 1 FROM subscriptions s WHERE s.user_id = u.id AND s.active = 1 AND s.channel_id = ${channel})`;
const OUTSIDE_CHANNEL = outside('?');
const OUTSIDE_TOPIC = outside('(SELECT c.channel_id FROM conversations c WHERE c.id = ?)');
const HOLDERS = `${OUTSIDE_CHANNEL}
  AND u.id IN (SELECT f.user_id FROM message_flags f WHERE f.message_id IN_IDS(?) AND ${HAS_FLAG}) ORDER BY u.id`;
const OUTSIDERS_BY_MESSAGES = `${OUTSIDE_TOPIC} AND u.id IN (SELECT f.user_id ${OF_TOPIC}) ORDER BY u.id`;
// A subquery per flag of the user: a join could start from the messages.
const OWN = `SELECT 1 FROM message_flags f WHERE f.user_id = u.id AND f.message_id >= ? AND f.message_id <= ?
  AND ${HAS_FLAG}`;
const OWN_OF_TOPIC = `${OWN} AND (SELECT m.conversation_id FROM messages m WHERE m.id = f.message_id) = ?`;
const HOLDERS_BY_READERS = `${OUTSIDE_CHANNEL} AND EXISTS (${OWN} AND +f.message_id IN_IDS(?)) ORDER BY u.id`;
const OUTSIDERS_BY_READERS = `${OUTSIDE_TOPIC} AND EXISTS (${OWN_OF_TOPIC}) ORDER BY u.id`;
const OUTSIDERS_BY_FLAGS = `${OUTSIDE_TOPIC}
  AND u.id IN (SELECT r.user_id FROM message_flags r WHERE r.message_id >= ? AND r.message_id <= ?)
  AND EXISTS (${OWN_OF_TOPIC}) ORDER BY u.id`;

const SET_BITS = `
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits
  RETURNING user_id`;
// Lookups by key: with a join, PostgreSQL without statistics would compare each user with the whole list.
const flagReaders = ids(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT CAST(?1 AS BIGINT), g.id, CAST(?2 AS BIGINT) FROM IDS(?3) AS g
  WHERE (SELECT u.is_active = 1 FROM users u WHERE u.id = g.id) AND (
    (SELECT true FROM subscriptions s WHERE s.user_id = g.id AND s.channel_id = (
        SELECT c.channel_id FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.id = ?1)
      AND s.active = 1 AND EXISTS (
        SELECT 1 FROM subscription_periods p
        WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND ${coversMessage('p', 'CAST(?1 AS BIGINT)')}))
    OR (SELECT true FROM conversation_participants t WHERE t.user_id = g.id AND t.conversation_id = (
        SELECT m.conversation_id FROM messages m WHERE m.id = ?1)))
  ${SET_BITS}`);
const flagAllReaders = ids(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT r.message_id, r.user_id, CAST(?2 AS BIGINT) FROM (
    SELECT m.id AS message_id, s.user_id FROM messages m
    JOIN conversations c ON c.id = m.conversation_id
    JOIN subscriptions s ON s.channel_id = c.channel_id AND s.active = 1
    WHERE m.id = ?1 AND (
      SELECT true FROM subscription_periods p
      WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND ${coversMessage('p', 'm.id')} LIMIT 1)
    UNION
    SELECT m.id, t.user_id FROM messages m
    JOIN conversation_participants t ON t.conversation_id = m.conversation_id WHERE m.id = ?1
  ) AS r
  WHERE (SELECT u.is_active = 1 FROM users u WHERE u.id = r.user_id)
  ${SET_BITS}`);
// All users who can see a new message have received it.
const flagReceivers = rows<{ message_id: number; user_id: number }>(`
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT m.id, u.id, CAST(? AS BIGINT) FROM PAIRS(?) AS p JOIN messages m ON m.id = p.a JOIN users u ON u.id = p.b
  WHERE u.is_active = 1 AND ${RECEIVED.replaceAll('?', 'u.id')}
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits
  RETURNING message_id, user_id`);
const OF_CONTENT =
  ANY_MENTION | FLAG_BITS.stream_wildcard_mentioned | FLAG_BITS.topic_wildcard_mentioned | FLAG_BITS.has_alert_word;
const DROP_CONTENT_FLAGS = `
  UPDATE message_flags
  SET bits = (bits & ${~OF_CONTENT}) | CASE WHEN (bits & ${ANY_MENTION}) <> 0 THEN ${MENTIONED_BEFORE_BIT} ELSE 0 END
  WHERE message_id = ? AND (bits & ${OF_CONTENT}) <> 0`;

const newestWith = ids(`
  SELECT message_id FROM message_flags
  WHERE user_id = ? AND (bits & CAST(? AS BIGINT)) <> 0 ORDER BY message_id DESC LIMIT ?`);

/** One row for each message and user with stored flags. */
export const flags: Queries<FlagStore> = {
  follow: run(`
    INSERT INTO message_flags (message_id, user_id, bits)
    SELECT m.id, CAST(?1 AS BIGINT), ${FOLLOWING_BIT} FROM messages m
    WHERE m.id = ?2 AND NOT ${RECEIVED.replaceAll('?', '?1')}
    ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | excluded.bits
    WHERE (message_flags.bits & excluded.bits) = 0`),
  set: (connection, userId, messageIds, flag) => setFlag(connection, userId, FLAG_BITS[flag], messageIds),
  clear: (connection, userId, messageIds, flag) => clearFlag(connection, userId, messageIds, FLAG_BITS[flag]),

  async setForReaders(connection, messageId, userIds, flag) {
    if (userIds === 'all') return flagAllReaders(connection, messageId, FLAG_BITS[flag]);
    return flagReaders(connection, messageId, FLAG_BITS[flag], userIds);
  },

  async setForReceivers(connection, pairs, flag) {
    const given = pairs.map(({ message_id, user_id }) => [message_id, user_id]);
    return flagReceivers(connection, FLAG_BITS[flag], given);
  },

  async dropContentFlags(connection, messageId) {
    await Promise.all([
      connection.run(DROP_CONTENT_FLAGS, [messageId]),
      connection.run('DELETE FROM message_flags WHERE message_id = ? AND bits = 0', [messageId]),
    ]);
  },
  messagesWith: (connection, userId, flag, limit) => newestWith(connection, userId, FLAG_BITS[flag], limit),

  async holders(connection, messageIds, withoutSubscribersOf = 0) {
    if (messageIds.length === 0) return [];
    const ids = JSON.stringify(messageIds);
    if (
      messageIds.length <= MAX_UNCOUNTED_MESSAGES ||
      !(await hasMore(connection, MAX_COLLECTED_FLAGS, COUNT_OF_MESSAGES, ids))
    ) {
      return connection.column(HOLDERS, [withoutSubscribersOf, ids]);
    }
    const range = [Math.min(...messageIds), Math.max(...messageIds)];
    return connection.column(HOLDERS_BY_READERS, [withoutSubscribersOf, ...range, ids]);
  },

  async outsiders(connection, { conversation_id: id, from_id, to_id }) {
    const range = [from_id, to_id];
    if (!(await hasMore(connection, MAX_FLAGS_IN_RANGE, COUNT_FLAGS, ...range))) {
      return connection.column(OUTSIDERS_BY_FLAGS, [id, ...range, ...range, id]);
    }
    if (!(await hasMore(connection, MAX_COLLECTED_FLAGS, COUNT_OF_TOPIC, id)))
      return connection.column(OUTSIDERS_BY_MESSAGES, [id, id]);
    return connection.column(OUTSIDERS_BY_READERS, [id, ...range, id]);
  },
  async forget(connection, userIds, conversationId, messageIds) {
    if (userIds.length === 0 || messageIds?.length === 0) return;
    const some = messageIds ? ' AND message_id IN_IDS(?)' : '';
    await connection.run(
      `DELETE FROM message_flags WHERE user_id IN_IDS(?)${some}
         AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_flags.message_id AND m.conversation_id = ?)`,
      [JSON.stringify(userIds), ...(messageIds ? [JSON.stringify(messageIds)] : []), conversationId],
    );
  },
};

async function hasMore(connection: Connection, limit: number, counting: string, ...given: SqlValue[]) {
  return ((await connection.value(counting, [...given, limit + 1])) ?? 0) > limit;
}

/** Clears a bit on messages of the user; returns the messages that had it, ascending. */
export async function clearFlag(
  connection: Connection,
  userId: number,
  messageIds: readonly number[],
  bit: number,
): Promise<number[]> {
  const [changed] = await Promise.all([
    clearBits(connection, ~bit, messageIds, userId, bit),
    dropBare(connection, messageIds, userId),
  ]);
  return changed;
}
