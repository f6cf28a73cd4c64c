import type { LeftChannel, ReadPart } from '../interface/read-state.ts';
import { type Connection, inOrder, type SqlValue } from './connection.ts';
import { clearFlag } from './flags.ts';
import { COVERED_UNMUTED, MARKED_UNREAD, TAKES_PART, UNREAD_BIT } from './read-rule.ts';
import {
  gapsWithin,
  LEFT_LISTED_SOURCES,
  LEFT_SOURCES,
  limitParams,
  messagesIn,
  notWhollyRead,
  notWhollyReadParams,
  onEach,
  PAIR_SOURCES,
} from './unread-gaps.ts';

/** Messages that stop being unread by a rule, without being marked as read. Clients need events for them. */

export interface Pair {
  user_id: number;
  channel_id: number;
}
export type Unread = Pair & { message_ids: number[] };

/** Topics of a pair, and ranges in them, that are looked through at most. */
const MOST_PLACES = 20_000;

const COUNT_PLACES = `
  SELECT COUNT(*) AS count FROM (
    SELECT 1 AS one FROM PAIRS(?) AS p
    CROSS JOIN conversations c LEFT JOIN read_ranges r ON r.user_id = p.a AND r.conversation_id = c.id
    WHERE c.channel_id = p.b LIMIT ?) AS counted`;
const IN_CHANNELS = onEach(
  (engine) => `
  SELECT ID_LIST(u.user_id) AS users, ID_LIST(c.channel_id) AS channels, ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, PAIR_SOURCES)}
    SELECT g.user_id, m.conversation_id, m.id FROM ${messagesIn(engine, 'gaps')} LIMIT ?) AS u
  JOIN conversations c ON c.id = u.conversation_id`,
);
// Reads each mark of a user once, for any number of channels.
const MARKED_IN_CHANNELS = `
  SELECT g.id AS user_id, c.channel_id, f.message_id AS id FROM IDS(?) AS g
  JOIN message_flags f ON f.user_id = g.id AND (f.bits & ${UNREAD_BIT}) <> 0
  JOIN messages m ON m.id = f.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE ((g.id, c.channel_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p)) IS TRUE
  ORDER BY g.id, c.channel_id, f.message_id`;

const CONVERSATIONS_LEFT = onEach((engine) => notWhollyRead(engine, LEFT_SOURCES));
const LEFT_UNREAD = onEach(
  (engine) => `
  SELECT ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, LEFT_LISTED_SOURCES)}
    SELECT m.id FROM ${messagesIn(engine, 'gaps')} LIMIT ?) AS u`,
);

const FROM_SENDER = `
  SELECT m.id, CASE WHEN ${MARKED_UNREAD} OR NOT ${COVERED_UNMUTED} AND (
      EXISTS (SELECT 1 FROM conversations c WHERE c.id = m.conversation_id AND c.channel_id IS NOT NULL) OR ${TAKES_PART})
    THEN 1 ELSE 0 END AS is_unread
  FROM (
    SELECT * FROM messages WHERE sender_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?) AS m
  ORDER BY m.id`;
const MARKS_FROM_SENDER = `
  SELECT f.message_id FROM (
    SELECT message_id FROM message_flags WHERE user_id = ? AND (bits & ${UNREAD_BIT}) <> 0
    ORDER BY message_id DESC LIMIT ?) AS f
  JOIN messages m ON m.id = f.message_id WHERE m.sender_id = ?`;
const MARKED_AMONG = `
  SELECT message_id FROM message_flags WHERE message_id IN_IDS(?) AND user_id = ? AND (bits & ${UNREAD_BIT}) <> 0`;

export async function unreadInChannels(
  connection: Connection,
  pairs: readonly Pair[],
  limit: number,
): Promise<Unread[] | undefined> {
  if (pairs.length === 0) return [];
  const list = JSON.stringify(pairs.map((pair) => [pair.user_id, pair.channel_id]));
  const places = (await connection.value(COUNT_PLACES, [list, MOST_PLACES + 1])) ?? 0;
  if (places > MOST_PLACES) return undefined;
  const row = await connection.get<Record<'users' | 'channels' | 'ids', string | null>>(
    IN_CHANNELS[connection.dialect.name],
    [list, ...limitParams(connection.dialect.name, limit + 1)],
  );
  const [users, channels, ids] = [row?.users, row?.channels, row?.ids].map((text): number[] =>
    JSON.parse(text ?? '[]'),
  );
  if (!users || !channels || !ids || ids.length > limit) return undefined;
  return grouped(ids.map((id, at) => ({ id, user_id: users[at] as number, channel_id: channels[at] as number })));
}

export async function markedInChannels(connection: Connection, pairs: readonly Pair[]): Promise<Unread[]> {
  if (pairs.length === 0) return [];
  const list = JSON.stringify(pairs.map((pair) => [pair.user_id, pair.channel_id]));
  const users = JSON.stringify([...new Set(pairs.map(({ user_id }) => user_id))]);
  return grouped(await connection.all<Pair & { id: number }>(MARKED_IN_CHANNELS, [users, list]));
}

function grouped(rows: readonly (Pair & { id: number })[]): Unread[] {
  const byPair = new Map<string, Unread>();
  for (const { user_id, channel_id, id } of rows) {
    const key = `${user_id} ${channel_id}`;
    const known = byPair.get(key);
    if (known) known.message_ids.push(id);
    else byPair.set(key, { user_id, channel_id, message_ids: [id] });
  }
  for (const { message_ids } of byPair.values()) inOrder(message_ids);
  return [...byPair.values()];
}

export async function conversationsLeft(connection: Connection, left: LeftChannel): Promise<number[]> {
  const engine = connection.dialect.name;
  const source = [left.user_id, left.floor, left.to_id + 1, left.channel_id];
  const params = notWhollyReadParams(engine, source, left.user_id);
  return connection.column(CONVERSATIONS_LEFT[engine], params);
}

/** Undefined where they are more than `limit`. */
export async function unreadLeft(
  connection: Connection,
  { user_id, floor, to_id }: LeftChannel,
  conversationIds: readonly number[],
  limit: number,
): Promise<number[] | undefined> {
  if (conversationIds.length === 0) return [];
  const source: SqlValue[] = [user_id, floor, to_id + 1, JSON.stringify(conversationIds)];
  const ids = await connection.idList(LEFT_UNREAD[connection.dialect.name], [
    ...source,
    ...limitParams(connection.dialect.name, limit + 1),
  ]);
  return ids.length > limit ? undefined : inOrder(ids);
}

export async function unreadFrom(
  connection: Connection,
  userId: number,
  senderId: number,
  { after_id, to_id }: { after_id: number; to_id: number },
  limit: number,
): Promise<ReadPart> {
  const rows = await connection.all<{ id: number; is_unread: number }>(FROM_SENDER, [
    ...[userId, userId, userId, userId, userId],
    ...[senderId, after_id, to_id, limit],
  ]);
  const message_ids = rows.filter((row) => row.is_unread === 1).map((row) => row.id);
  const last = rows.at(-1);
  return rows.length < limit || !last ? { message_ids } : { message_ids, after_id: last.id };
}

export async function clearMarksFrom(
  connection: Connection,
  userId: number,
  senderId: number,
  limit: number,
): Promise<number[]> {
  await connection.concurrency?.serializeReader(userId);
  const marks = inOrder(await connection.column(MARKS_FROM_SENDER, [userId, limit, senderId]));
  return marks.length > 0 ? clearFlag(connection, userId, marks, UNREAD_BIT) : [];
}

export async function markedAmong(
  connection: Connection,
  userId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  if (messageIds.length === 0) return [];
  await connection.concurrency?.serializeReader(userId);
  return inOrder(await connection.column(MARKED_AMONG, [JSON.stringify(messageIds), userId]));
}
