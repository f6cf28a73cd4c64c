import { present } from '../../base/present.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import { type Connection, inOrder } from './connection.ts';
import { clearFlag } from './flags.ts';
import { COVERED, NO_END, NO_FLOOR, UNREAD_BIT } from './read-rule.ts';
import { exists, onEach, type Queries, rows } from './store.ts';
import { ALL_SOURCES, between, CHANNEL_SOURCES, LISTED_SOURCES, notWhollyRead, unreadOf } from './unread-gaps.ts';

/** Many messages are marked as read in parts. Each part is a short transaction, and other writes run in between. */

const placesAnywhere = notWhollyRead(ALL_SOURCES);
const placesInChannel = notWhollyRead(CHANNEL_SOURCES);
/** Up to this many conversations, a lookup per message costs less than reading all users muted by the reader. */
const MAX_CONVERSATIONS_FOR_LOOKUPS = 20;
const unreadInFew = unreadOf(LISTED_SOURCES);
const unreadInMany = unreadOf(LISTED_SOURCES, { isOneReader: true });
const endOfPart = rows<{ id: number }>(
  onEach(
    (engine) => `
  SELECT m.id FROM (
    SELECT w.id, CASE WHEN w.to_id > w.after_id THEN w.to_id ELSE w.after_id END AS after_id FROM (
      SELECT CAST(?2 AS BIGINT) AS id, CAST(?3 AS BIGINT) AS after_id, COALESCE((
        SELECT to_id FROM read_ranges WHERE user_id = ?1 AND conversation_id = ?2 AND from_id <= ?3 + 1
        ORDER BY from_id DESC LIMIT 1), 0) AS to_id) AS w) AS c
  CROSS JOIN messages m WHERE ${between(engine, ['m', 'c.id'], ['c.after_id', `${NO_END}`])} LIMIT 2 OFFSET ?4`,
  ),
);
const furthestEnds = rows<{ conversation_id: number; to_id: number }>(`
  SELECT conversation_id, MAX(to_id) AS to_id FROM read_ranges
  WHERE user_id = ? AND conversation_id IN_IDS(?) GROUP BY conversation_id`);
const FURTHEST_END = `
  SELECT to_id FROM read_ranges WHERE user_id = ? AND conversation_id = ? AND from_id <= ? + 1
  ORDER BY from_id DESC LIMIT 1`;
const DELETE_ALL = 'DELETE FROM read_ranges WHERE user_id = ? AND conversation_id IN_IDS(?)';
const DELETE_BEFORE = 'DELETE FROM read_ranges WHERE user_id = ? AND conversation_id = ? AND from_id <= ?';
const hasNoFloor = exists(
  `SELECT 1 AS one FROM read_ranges WHERE user_id = ? AND conversation_id = ? AND from_id = ${NO_FLOOR}`,
);
const COVER = 'INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id) VALUES (?, ?, ?, ?)';
const COVER_FROM_BEGINNING = `
  INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
  SELECT CAST(? AS BIGINT), p.a, 0, p.b FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`;

// Reads at most this many marks, in any conversation.
const marksAfter = rows<{ id: number; covered: number; is_within: number }>(`
  SELECT m.id, CASE WHEN ${COVERED.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS covered,
    CASE WHEN (CAST(?2 AS BIGINT) IS NULL OR c.channel_id = ?2) AND (CAST(?3 AS BIGINT) IS NULL OR c.id = ?3)
      AND CASE WHEN c.channel_id IS NULL
        THEN EXISTS (SELECT 1 FROM conversation_participants p WHERE p.user_id = f.user_id AND p.conversation_id = c.id)
        ELSE EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = f.user_id AND s.channel_id = c.channel_id AND s.active = 1)
      END THEN 1 ELSE 0 END AS is_within
  FROM (
    SELECT user_id, message_id FROM message_flags
    WHERE user_id = ?1 AND (bits & ${UNREAD_BIT}) <> 0 AND message_id > ?4 ORDER BY message_id LIMIT ?5) AS f
  JOIN messages m ON m.id = f.message_id
  JOIN conversations c ON c.id = m.conversation_id
  ORDER BY m.id`);

const ALL_IDS = { low: 0, high: NO_END };

/** Conversations that may have unread messages, with the message up to which all are read. */
export async function unreadPlaces(
  connection: Connection,
  userId: number,
  channelId?: number,
): Promise<{ id: number; after_id: number }[]> {
  const find = channelId === undefined ? placesAnywhere : placesInChannel;
  return find(connection, channelId ?? null, 0, userId, 0, NO_END);
}

export const readSlices = {
  async markConversationsRead(connection, userId, conversationIds, limit) {
    if (conversationIds.length === 0) return [];
    await connection.concurrency?.serializeReader(userId);
    const [{ conversations, ids }, furthest] = await Promise.all([
      unreadIn(connection, userId, conversationIds, { ...ALL_IDS, limit: limit + 1 }),
      furthestEnds(connection, userId, conversationIds),
    ]);
    if (ids.length > limit) return undefined;
    if (ids.length === 0) return [];
    // All messages of these conversations are read now, so one range replaces all ranges of a conversation.
    const ends = new Map<number, number>();
    ids.forEach((id, at) => {
      const conversation = present(conversations[at]);
      if (id > (ends.get(conversation) ?? 0)) ends.set(conversation, id);
    });
    for (const { conversation_id, to_id } of furthest) {
      const end = ends.get(conversation_id);
      if (end !== undefined && to_id > end) ends.set(conversation_id, to_id);
    }
    await Promise.all([
      connection.run(DELETE_ALL, [userId, JSON.stringify([...ends.keys()])]),
      connection.run(COVER_FROM_BEGINNING, [userId, JSON.stringify([...ends])]),
    ]);
    return inOrder(ids);
  },

  async markConversationPart(connection, userId, conversationId, afterId, limit) {
    await connection.concurrency?.serializeReader(userId);
    // Nearly always a conversation is one part.
    const [[end, next], rest, ranges, isFloorless] = await Promise.all([
      endOfPart(connection, userId, conversationId, afterId, limit - 1),
      afterId === 0 ? unreadIn(connection, userId, [conversationId], { ...ALL_IDS, limit: limit + 1 }) : undefined,
      furthestEnds(connection, userId, [conversationId]),
      hasNoFloor(connection, userId, conversationId),
    ]);
    // From the beginning, since messages may have been moved there. Read ranges cost nothing.
    const window = { low: 0, high: end ? end.id + 1 : NO_END, limit: NO_END };
    const isAll = !end && rest && rest.ids.length <= limit;
    const { ids } = isAll ? rest : await unreadIn(connection, userId, [conversationId], window);
    const last = inOrder(ids).at(-1);
    if (last !== undefined) {
      const range = end && (await connection.get<{ to_id: number }>(FURTHEST_END, [userId, conversationId, end.id]));
      const to = end ? Math.max(end.id, range?.to_id ?? 0) : Math.max(last, ranges[0]?.to_id ?? 0);
      await Promise.all([
        connection.run(DELETE_BEFORE, [userId, conversationId, to]),
        connection.run(COVER, [userId, conversationId, isFloorless ? NO_FLOOR : 0, to]),
      ]);
    }
    return end && next ? { message_ids: ids, after_id: end.id } : { message_ids: ids };
  },

  async clearUnreadMarks(connection, userId, within, afterId, limit) {
    await connection.concurrency?.serializeReader(userId);
    const [channel, conversation] = [within.channel_id ?? null, within.conversation_id ?? null];
    const marked = await marksAfter(connection, userId, channel, conversation, afterId, limit);
    const those = marked.filter((row) => row.is_within === 1);
    const marks = those.map((row) => row.id);
    await clearFlag(connection, userId, marks, UNREAD_BIT);
    const message_ids = those.filter((row) => row.covered === 1).map((row) => row.id);
    const last = marked.at(-1);
    return marked.length < limit || !last ? { message_ids } : { message_ids, after_id: last.id };
  },
} satisfies Partial<Queries<ReadStateStore>>;

/** At most `limit` unread messages of conversations in a window of IDs, and the conversation of each. In no order. */
export async function unreadIn(
  connection: Connection,
  userId: number,
  conversationIds: readonly number[],
  { low, high, limit }: { low: number; high: number; limit: number },
): Promise<{ conversations: number[]; ids: number[] }> {
  const find = conversationIds.length > MAX_CONVERSATIONS_FOR_LOOKUPS ? unreadInMany : unreadInFew;
  return find(connection, conversationIds, limit, userId, low, high);
}
