import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import type { UserChannel } from '../interface/channels.ts';
import type { MessagesInChannel, ReadStateStore } from '../interface/read-state.ts';
import { inOrder, readIds } from './connection.ts';
import { clearFlag } from './flags.ts';
import { COVERED_UNMUTED, MARKED_UNREAD, TAKES_PART, UNREAD_BIT } from './read-rule.ts';
import { count, ids, locking, onEach, type Queries, row, rows } from './store.ts';
import {
  gapsWithin,
  LEFT_LISTED_SOURCES,
  LEFT_SOURCES,
  messagesIn,
  notWhollyRead,
  PAIR_SOURCES,
  unreadOf,
} from './unread-gaps.ts';

/** Messages that stop being unread by a rule, without being marked as read. Clients need events for them. */

/** Topics of a pair, and ranges in them, that are looked through at most. */
const MAX_PLACES = 20_000;

const countPlaces = count(`
  SELECT COUNT(*) AS count FROM (
    SELECT 1 AS one FROM PAIRS(?) AS p
    CROSS JOIN conversations c LEFT JOIN read_ranges r ON r.user_id = p.a AND r.conversation_id = c.id
    WHERE c.channel_id = p.b LIMIT ?) AS counted`);
const inChannels = row<Record<'users' | 'channels' | 'ids', string | null>>(
  onEach(
    (engine) => `
  SELECT ID_LIST(u.user_id) AS users, ID_LIST(c.channel_id) AS channels, ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, PAIR_SOURCES)}
    SELECT g.user_id, m.conversation_id, m.id FROM ${messagesIn(engine)} LIMIT ?2) AS u
  JOIN conversations c ON c.id = u.conversation_id`,
  ),
);
// Reads each mark of a user once, for any number of channels.
const markedIn = rows<UserChannel & { id: number }>(`
  SELECT g.id AS user_id, c.channel_id, f.message_id AS id FROM IDS(?) AS g
  JOIN message_flags f ON f.user_id = g.id AND (f.bits & ${UNREAD_BIT}) <> 0
  JOIN messages m ON m.id = f.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE ((g.id, c.channel_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p)) IS TRUE
  ORDER BY g.id, c.channel_id, f.message_id`);

const placesLeft = notWhollyRead(LEFT_SOURCES);
const messagesLeft = unreadOf(LEFT_LISTED_SOURCES);

const fromSender = rows<{ id: number; is_unread: number }>(`
  SELECT m.id, CASE WHEN ${MARKED_UNREAD.replaceAll('?', '?1')} OR NOT ${COVERED_UNMUTED.replaceAll('?', '?1')} AND (
      EXISTS (SELECT 1 FROM conversations c WHERE c.id = m.conversation_id AND c.channel_id IS NOT NULL) OR ${TAKES_PART.replaceAll('?', '?1')})
    THEN 1 ELSE 0 END AS is_unread
  FROM (
    SELECT * FROM messages WHERE sender_id = ?2 AND id > ?3 AND id <= ?4 ORDER BY id LIMIT ?5) AS m
  ORDER BY m.id`);
const marksFromSender = locking(
  ids(`
  SELECT f.message_id FROM (
    SELECT message_id FROM message_flags WHERE user_id = ?1 AND (bits & ${UNREAD_BIT}) <> 0
    ORDER BY message_id DESC LIMIT ?3) AS f
  JOIN messages m ON m.id = f.message_id WHERE m.sender_id = ?2`),
);
export const leftUnread = {
  markedAmong: locking(
    ids(`
      SELECT message_id FROM message_flags WHERE message_id IN_IDS(?2) AND user_id = ?1 AND (bits & ${UNREAD_BIT}) <> 0`),
  ),

  async unreadInChannels(connection, pairs, limit) {
    const list = pairs.map((pair) => [pair.user_id, pair.channel_id]);
    if ((await countPlaces(connection, list, MAX_PLACES + 1)) > MAX_PLACES) return undefined;
    const found = await inChannels(connection, list, limit + 1);
    const [users, channels, ids] = [found?.users, found?.channels, found?.ids].map(readIds);
    if (!users || !channels || !ids || ids.length > limit) return undefined;
    return grouped(ids.map((id, at) => ({ id, user_id: present(users[at]), channel_id: present(channels[at]) })));
  },

  async markedInChannels(connection, pairs) {
    const list = pairs.map((pair) => [pair.user_id, pair.channel_id]);
    return grouped(await markedIn(connection, [...new Set(pairs.map(({ user_id }) => user_id))], list));
  },

  async conversationsLeft(connection, left) {
    const places = await placesLeft(connection, left.channel_id, 0, left.user_id, left.floor, left.to_id + 1);
    return places.map(({ id }) => id);
  },

  /** Undefined where they are more than `limit`. */
  async unreadLeft(connection, { user_id, floor, to_id }, conversationIds, limit) {
    const { ids } = await messagesLeft(connection, conversationIds, limit + 1, user_id, floor, to_id + 1);
    return ids.length > limit ? undefined : inOrder(ids);
  },

  async unreadFrom(connection, userId, senderId, { after_id, to_id }, limit) {
    const found = await fromSender(connection, userId, senderId, after_id, to_id, limit);
    const message_ids = found.filter((row) => row.is_unread === 1).map((row) => row.id);
    const last = found.at(-1);
    return found.length < limit || !last ? { message_ids } : { message_ids, after_id: last.id };
  },

  async clearMarksFrom(connection, userId, senderId, limit) {
    const marks = await marksFromSender(connection, userId, senderId, limit);
    return clearFlag(connection, userId, marks, UNREAD_BIT);
  },
} satisfies Partial<Queries<ReadStateStore>>;

function grouped(rows: readonly (UserChannel & { id: number })[]): MessagesInChannel[] {
  const byPair = groupBy(rows, ({ user_id, channel_id }) => `${user_id} ${channel_id}`);
  return [...byPair.values()].map((own) => {
    const { user_id, channel_id } = present(own[0]);
    return { user_id, channel_id, message_ids: inOrder(own.map(({ id }) => id)) };
  });
}
