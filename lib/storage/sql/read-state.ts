import type { MessageFlag } from '../interface/flags.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import type { Connection } from './connection.ts';
import { ascending, type MessageRow, type SqlFlags } from './flags.ts';
import { cover, type Newcomer, type Range } from './read-ranges.ts';
import {
  ANY_MENTION,
  COVERED,
  CURRENT_UNREAD_IDS,
  FLAG_BITS,
  MARKED_UNREAD,
  READ,
  RECEIVED_IN_CHANNEL,
  SUBSCRIBED,
  TAKES_PART,
  UNREAD_BIT,
  UNREAD_IN_CHANNELS,
  UNREAD_STRETCH,
  unreadWithin,
} from './read-rule.ts';

const FLAGS = Object.entries(FLAG_BITS) as [MessageFlag, number][];

const FLAGS_OF = `
  SELECT m.id, COALESCE(f.bits, 0) AS bits,
    CASE WHEN ${COVERED} THEN 1 ELSE 0 END AS covered,
    CASE WHEN c.channel_id IS NOT NULL AND NOT ${RECEIVED_IN_CHANNEL} THEN 1 ELSE 0 END AS historical
  FROM messages m
  JOIN conversations c ON c.id = m.conversation_id
  LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = ?
  WHERE m.id IN_IDS(?)`;

const UNREAD = `
  SELECT m.id, m.conversation_id, m.sender_id,
    CASE WHEN (f.bits & ${ANY_MENTION}) <> 0 THEN 1 ELSE 0 END AS mentioned
  FROM (SELECT id FROM (${CURRENT_UNREAD_IDS}) AS every_unread ORDER BY id DESC LIMIT ?) AS u
  JOIN messages m ON m.id = u.id
  LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = ?
  ORDER BY m.id DESC`;

// The sender's own messages never stand between two ranges: they are read either way.
const neighbour = (comparison: '<' | '>', order: 'DESC' | 'ASC') => `(
  SELECT n.id FROM messages n
  WHERE n.conversation_id = m.conversation_id AND n.id ${comparison} m.id
    AND NOT (n.sender_id = ? AND n.read_by_sender = 1)
  ORDER BY n.id ${order} LIMIT 1)`;
const UNREAD_AMONG = `
  SELECT m.id, m.conversation_id,
    CASE WHEN ${COVERED} THEN 1 ELSE 0 END AS covered,
    CASE WHEN ${MARKED_UNREAD} THEN 1 ELSE 0 END AS marked,
    ${neighbour('<', 'DESC')} AS previous_id,
    ${neighbour('>', 'ASC')} AS next_id
  FROM messages m WHERE m.id IN_IDS(?) AND NOT ${READ} ORDER BY m.id`;

const AROUND = `
  SELECT m.id, ${neighbour('<', 'DESC')} AS previous_id, ${neighbour('>', 'ASC')} AS next_id
  FROM messages m WHERE m.id = ? OR m.id = ? ORDER BY m.id`;

const MARK_UNREAD = `
  INSERT INTO message_flags (message_id, user_id, bits)
  SELECT m.id, CAST(? AS BIGINT), ${UNREAD_BIT} FROM messages m
  WHERE m.id IN_IDS(?) AND ${READ} AND (${TAKES_PART} OR ${SUBSCRIBED})
  ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | ${UNREAD_BIT}
  RETURNING message_id`;

const INSERT_RANGES = `
  INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
  SELECT CAST(? AS BIGINT), p.a, p.b, CAST(p.c AS BIGINT) FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`;

// The new range swallows whatever begins before the first message after it.
const FURTHEST_END = `
  SELECT MAX(r.to_id) AS to_id FROM read_ranges r
  WHERE r.user_id = ? AND r.conversation_id = ? AND r.from_id <= COALESCE(
    (SELECT MIN(m.id) FROM messages m WHERE m.conversation_id = ? AND m.id > ?), 9007199254740991)`;
const MARKED_IN_CONVERSATION = `
  SELECT f.message_id FROM message_flags f JOIN messages m ON m.id = f.message_id
  WHERE f.user_id = ? AND f.message_id <= ? AND (f.bits & ${UNREAD_BIT}) <> 0 AND m.conversation_id = ?`;

const READERS = `
  SELECT u.id FROM messages m CROSS JOIN users u
  WHERE m.id = ? AND u.is_active = 1 AND (
    EXISTS (SELECT 1 FROM conversations c JOIN subscription_periods p ON p.channel_id = c.channel_id
      WHERE c.id = m.conversation_id AND p.user_id = u.id AND p.after_message_id < m.id
        AND (p.to_message_id IS NULL OR p.to_message_id >= m.id))
    OR EXISTS (SELECT 1 FROM conversation_participants t
      WHERE t.user_id = u.id AND t.conversation_id = m.conversation_id))
    AND ${READ.replaceAll('?', 'u.id')}
  ORDER BY u.id`;

/** Ids of one conversation, as JSON. */
interface UnreadList {
  conversation_id: number;
  ids: string;
  /** 1: of explicit marks. */
  marked: number;
}

type Candidate = Newcomer & { conversation_id: number; covered: number; marked: number };

export class SqlReadState implements ReadStateStore {
  readonly #connection: Connection;
  readonly #flags: SqlFlags;

  constructor(connection: Connection, flags: SqlFlags) {
    this.#connection = connection;
    this.#flags = flags;
  }

  async flagsOf(userId: number, messageIds: readonly number[]): Promise<Map<number, string[]>> {
    const flags = new Map<number, string[]>();
    if (messageIds.length === 0) return flags;
    const rows = await this.#connection.all<{ id: number; bits: number; covered: number; historical: number }>(
      FLAGS_OF,
      [userId, userId, userId, userId, userId, JSON.stringify(messageIds)],
    );
    for (const row of rows) {
      const names: string[] = [];
      if (row.covered === 1 && (row.bits & UNREAD_BIT) === 0) names.push('read');
      if (row.bits !== 0) for (const [name, bit] of FLAGS) if (row.bits & bit) names.push(name);
      if (row.historical === 1) names.push('historical');
      flags.set(row.id, names);
    }
    return flags;
  }

  async unread(
    userId: number,
    limit: number,
  ): Promise<{ id: number; conversation_id: number; sender_id: number; mentioned: boolean }[]> {
    const rows = await this.#connection.all<{
      id: number;
      conversation_id: number;
      sender_id: number;
      mentioned: number;
    }>(UNREAD, [userId, userId, userId, userId, limit, userId]);
    return rows.map((row) => ({
      id: row.id,
      conversation_id: row.conversation_id,
      sender_id: row.sender_id,
      mentioned: row.mentioned === 1,
    }));
  }

  async unreadInChannels(
    pairs: readonly { user_id: number; channel_id: number }[],
  ): Promise<{ user_id: number; channel_id: number; message_ids: number[] }[]> {
    if (pairs.length === 0) return [];
    const list = JSON.stringify(pairs.map((pair) => [pair.user_id, pair.channel_id]));
    const rows = await this.#connection.all<{ user_id: number; channel_id: number; id: number }>(UNREAD_IN_CHANNELS, [
      list,
      list,
    ]);
    const unread: { user_id: number; channel_id: number; message_ids: number[] }[] = [];
    for (const { user_id, channel_id, id } of rows) {
      const last = unread.at(-1);
      if (last?.user_id === user_id && last.channel_id === channel_id) last.message_ids.push(id);
      else unread.push({ user_id, channel_id, message_ids: [id] });
    }
    return unread;
  }

  async markRead(userId: number, messageIds: readonly number[]): Promise<number[]> {
    if (messageIds.length === 0) return [];
    await this.#connection.serializeReader?.(userId);
    const unread = await this.#connection.all<Candidate>(UNREAD_AMONG, [
      ...[userId, userId, userId, userId, userId, userId],
      JSON.stringify(messageIds),
      ...[userId, userId, userId, userId],
    ]);
    const marked = unread.filter((message) => message.marked === 1).map((message) => message.id);
    if (marked.length > 0) await this.#flags.clear(userId, marked, UNREAD_BIT);
    const uncovered = unread.filter((message) => message.covered === 0);
    if (uncovered.length > 0) await this.#cover(userId, uncovered);
    return unread.map((message) => message.id);
  }

  async markUnread(userId: number, messageIds: readonly number[]): Promise<number[]> {
    if (messageIds.length === 0) return [];
    await this.#connection.serializeReader?.(userId);
    const rows = await this.#connection.all<MessageRow>(MARK_UNREAD, [
      userId,
      JSON.stringify(messageIds),
      ...[userId, userId, userId, userId],
      ...[userId, userId],
    ]);
    return ascending(rows);
  }

  async markConversationRead(userId: number, conversationId: number, upTo: number): Promise<void> {
    await this.#connection.serializeReader?.(userId);
    const furthest = await this.#connection.get<{ to_id: number | null }>(FURTHEST_END, [
      userId,
      conversationId,
      conversationId,
      upTo,
    ]);
    const end = Math.max(upTo, furthest?.to_id ?? 0);
    await this.#connection.run('DELETE FROM read_ranges WHERE user_id = ? AND conversation_id = ? AND from_id <= ?', [
      userId,
      conversationId,
      end,
    ]);
    await this.#connection.run(INSERT_RANGES, [userId, JSON.stringify([[conversationId, 0, end]])]);
    const marked = await this.#connection.all<MessageRow>(MARKED_IN_CONVERSATION, [userId, upTo, conversationId]);
    if (marked.length > 0) await this.#flags.clear(userId, ascending(marked), UNREAD_BIT);
  }

  async markAllRead(userId: number, within: { channel_id?: number; conversation_id?: number } = {}): Promise<number[]> {
    await this.#connection.serializeReader?.(userId);
    const scope =
      within.conversation_id !== undefined
        ? 'conversation'
        : within.channel_id !== undefined
          ? 'channel'
          : 'everywhere';
    const place = scope === 'everywhere' ? [] : [within.conversation_id ?? (within.channel_id as number)];
    const lists = await this.#connection.all<UnreadList>(unreadWithin(scope), [
      ...[userId, ...place, userId, ...place],
      ...[userId, userId],
    ]);
    if (lists.length === 0) return [];
    const { parts, unread, marked } = together(lists);
    // Nothing unread is left in them, so one range reaches over everything that was read before, too.
    const ends = new Map<number, number>();
    for (const { conversation_id, ids } of parts) {
      ends.set(conversation_id, Math.max(ends.get(conversation_id) ?? 0, ids.at(-1) as number));
    }
    const conversations = JSON.stringify([...ends.keys()]);
    const furthest = await this.#connection.all<{ conversation_id: number; to_id: number }>(
      `SELECT conversation_id, MAX(to_id) AS to_id FROM read_ranges
       WHERE user_id = ? AND conversation_id IN_IDS(?) GROUP BY conversation_id`,
      [userId, conversations],
    );
    for (const { conversation_id, to_id } of furthest) {
      ends.set(conversation_id, Math.max(to_id, ends.get(conversation_id) as number));
    }
    await this.#connection.run('DELETE FROM read_ranges WHERE user_id = ? AND conversation_id IN_IDS(?)', [
      userId,
      conversations,
    ]);
    await this.#connection.run(INSERT_RANGES, [
      userId,
      JSON.stringify([...ends].map(([conversation, end]) => [conversation, 0, end])),
    ]);
    if (marked.length > 0) await this.#flags.clear(userId, marked, UNREAD_BIT);
    return unread;
  }

  async markStretchRead(
    userId: number,
    { conversation_id, from_id, to_id }: { conversation_id: number; from_id: number; to_id: number },
  ): Promise<number[]> {
    await this.#connection.serializeReader?.(userId);
    const stretch = [conversation_id, from_id, to_id];
    const lists = await this.#connection.all<UnreadList>(UNREAD_STRETCH, [
      ...[userId, conversation_id, userId, conversation_id, userId],
      ...[from_id, to_id, from_id, to_id],
      ...[userId, ...stretch],
    ]);
    if (lists.length === 0) return [];
    const { unread, marked } = together(lists);
    if (lists.some((list) => list.marked === 0)) {
      const around = await this.#connection.all<Newcomer>(AROUND, [userId, userId, from_id, to_id]);
      const [previous_id, next_id] = [around[0]?.previous_id ?? null, around.at(-1)?.next_id ?? null];
      await this.#cover(userId, [{ conversation_id, id: from_id, to_id, previous_id, next_id }]);
    }
    if (marked.length > 0) await this.#flags.clear(userId, marked, UNREAD_BIT);
    return unread;
  }

  async readersOf(messageId: number): Promise<number[]> {
    const rows = await this.#connection.all<{ id: number }>(READERS, [messageId]);
    return rows.map((row) => row.id);
  }

  async #cover(userId: number, messages: readonly (Newcomer & { conversation_id: number })[]): Promise<void> {
    const byConversation = new Map<number, { ranges: Range[]; newcomers: Newcomer[] }>();
    for (const message of messages) {
      const known = byConversation.get(message.conversation_id);
      if (known) known.newcomers.push(message);
      else byConversation.set(message.conversation_id, { ranges: [], newcomers: [message] });
    }
    const stored = await this.#connection.all<Range & { conversation_id: number }>(
      'SELECT conversation_id, from_id, to_id FROM read_ranges WHERE user_id = ? AND conversation_id IN_IDS(?)',
      [userId, JSON.stringify([...byConversation.keys()])],
    );
    for (const { conversation_id, from_id, to_id } of stored) {
      byConversation.get(conversation_id)?.ranges.push({ from_id, to_id });
    }
    const gone: [number, number][] = [];
    const kept: [number, number, number][] = [];
    for (const [conversation, { ranges, newcomers }] of byConversation) {
      const change = cover(ranges, newcomers);
      for (const range of change.gone) gone.push([conversation, range.from_id]);
      for (const range of change.kept) kept.push([conversation, range.from_id, range.to_id]);
    }
    if (gone.length > 0) {
      await this.#connection.run(
        `DELETE FROM read_ranges
         WHERE user_id = ? AND (conversation_id, from_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p)`,
        [userId, JSON.stringify(gone)],
      );
    }
    await this.#connection.run(INSERT_RANGES, [userId, JSON.stringify(kept)]);
  }
}

/** Explicit marks may stand in other lists too. */
function together(lists: readonly UnreadList[]) {
  const parts = lists.map(({ ids, ...list }) => ({ ...list, ids: inOrder(JSON.parse(ids)) }));
  const every = parts.length === 1 ? (parts[0] as { ids: number[] }).ids : inOrder(parts.flatMap(({ ids }) => ids));
  const marked = parts.flatMap((part) => (part.marked === 1 ? part.ids : []));
  return { parts, unread: marked.length > 0 ? [...new Set(every)] : every, marked };
}

/** Most lists come in order, and sorting a long one costs as much as finding it. */
function inOrder(ids: number[]): number[] {
  for (let at = 1; at < ids.length; at++) {
    if ((ids[at - 1] as number) > (ids[at] as number)) return ids.sort((one, other) => one - other);
  }
  return ids;
}
