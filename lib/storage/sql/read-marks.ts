import { groupBy } from '../../base/group-by.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import { type Connection, inOrder } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { clearFlag } from './flags.ts';
import { cover, type Range, type ReadMessage } from './read-ranges.ts';
import { COVERED, isMuted, MARKED_UNREAD, NO_END, READ, SUBSCRIBED, TAKES_PART, UNREAD_BIT } from './read-rule.ts';
import { unreadIn } from './read-slices.ts';
import { ids, keyed, locking, onEach, type Queries, rows, run } from './store.ts';
import { between } from './unread-gaps.ts';

type Engine = Dialect['name'];

/**
 * Changes of the read state of a user. Each change reads the ranges before it writes them, so it takes a lock of the
 * user if writers run concurrently.
 */

// Own messages and those of muted users count as read, so they never separate two ranges. A CASE, because PostgreSQL
// may estimate that a plain condition matches almost nothing, and sort a whole conversation for one message.
const neighbours = (engine: Engine, message: string) => {
  const unread = ` AND CASE WHEN n.sender_id = ?1 AND n.read_by_sender = 1 OR ${isMuted('?1', 'n')} THEN FALSE ELSE TRUE END`;
  const nearest = (range: [string, string], order: 'ASC' | 'DESC') =>
    `(SELECT n.id FROM messages n WHERE ${between(engine, ['n', `${message}.conversation_id`], range, { order, and: unread })} LIMIT 1)`;
  return `${nearest(['-1', `${message}.id`], 'DESC')} AS previous_id, ${nearest([`${message}.id`, `${NO_END}`], 'ASC')} AS next_id`;
};
// Decides once per message whether it is covered. Looks up its neighbours only if it is not read.
const unreadAmong = rows<Candidate>(
  onEach(
    (engine) => `
  WITH looked AS MATERIALIZED (
    SELECT m.id, m.conversation_id, CASE WHEN ${COVERED.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS covered,
      CASE WHEN ${MARKED_UNREAD.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS marked
    FROM messages m WHERE m.id IN_IDS(?2))
  SELECT l.id, l.conversation_id, l.covered, l.marked, ${neighbours(engine, 'l')}
  FROM looked l WHERE l.covered = 0 OR l.marked = 1 ORDER BY l.id`,
  ),
);

const around = rows<ReadMessage>(
  onEach(
    (engine) => `SELECT m.id, ${neighbours(engine, 'm')} FROM messages m WHERE m.id = ?2 OR m.id = ?3 ORDER BY m.id`,
  ),
);

const insertRanges = run(`
  INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
  SELECT CAST(? AS BIGINT), p.a, p.b, CAST(p.c AS BIGINT) FROM PAIRS(?) AS p WHERE true
  ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`);

const markedInRange = ids(`
  SELECT f.message_id FROM message_flags f JOIN messages m ON m.id = f.message_id
  WHERE f.user_id = ? AND f.message_id >= ? AND f.message_id <= ? AND (f.bits & ${UNREAD_BIT}) <> 0
    AND m.conversation_id = ?`);

const deleteRanges = run(`
  DELETE FROM read_ranges
  WHERE user_id = ? AND (conversation_id, from_id) IN (SELECT p.a, p.b FROM PAIRS(?) AS p)`);
const RANGES = 'SELECT conversation_id, from_id, to_id FROM read_ranges WHERE user_id = ? AND conversation_id';
const rangesOfConversation = rows<StoredRange>(`${RANGES} = ?`);
const rangesOfMessages = rows<StoredRange>(
  `${RANGES} IN (SELECT m.conversation_id FROM messages m WHERE m.id IN_IDS(?))`,
);

type Candidate = ReadMessage & { conversation_id: number; covered: number; marked: number };
type StoredRange = Range & { conversation_id: number };

export const readMarks = {
  markUnread: locking(
    ids(`
    INSERT INTO message_flags (message_id, user_id, bits)
    SELECT m.id, CAST(?1 AS BIGINT), ${UNREAD_BIT} FROM messages m
    WHERE m.id IN_IDS(?2) AND ${`${READ} AND (${TAKES_PART} OR ${SUBSCRIBED})`.replaceAll('?', '?1')}
    ON CONFLICT (message_id, user_id) DO UPDATE SET bits = message_flags.bits | ${UNREAD_BIT}
    RETURNING message_id`),
  ),

  async markRead(connection, userId, messageIds) {
    if (messageIds.length === 0) return [];
    await connection.concurrency?.serializeReader(userId);
    const [unread, ranges] = await Promise.all([
      unreadAmong(connection, userId, messageIds),
      rangesOfMessages(connection, userId, messageIds),
    ]);
    const marked = unread.filter((message) => message.marked === 1).map((message) => message.id);
    const uncovered = unread.filter((message) => message.covered === 0);
    await Promise.all([
      clearFlag(connection, userId, marked, UNREAD_BIT),
      coverMessages(connection, userId, uncovered, ranges),
    ]);
    return unread.map((message) => message.id);
  },

  // Extends the last range of each reader if no message is between it and the new one. The list may be empty.
  markReadExcept: keyed(
    (userIds: readonly number[]) => JSON.stringify(userIds),
    run(`
    INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
    SELECT s.user_id, m.conversation_id, COALESCE((
      SELECT CASE WHEN r.to_id >= m.previous_id THEN r.from_id END FROM read_ranges r
      WHERE r.user_id = s.user_id AND r.conversation_id = m.conversation_id ORDER BY r.from_id DESC LIMIT 1), m.id), m.id
    FROM (
      SELECT n.id, n.conversation_id, COALESCE((
        SELECT MAX(p.id) FROM messages p WHERE p.conversation_id = n.conversation_id AND p.id < n.id), 0) AS previous_id
      FROM messages n WHERE n.id = CAST(?2 AS BIGINT)) AS m
    JOIN conversations c ON c.id = m.conversation_id
    JOIN subscriptions s ON s.channel_id = c.channel_id
    WHERE s.active = 1 AND s.user_id NOT IN_IDS(?1)
    ON CONFLICT (user_id, conversation_id, from_id) DO UPDATE SET to_id = excluded.to_id`),
  ),

  async markRangeRead(connection, userId, { conversation_id, from_id, to_id }) {
    await connection.concurrency?.serializeReader(userId);
    const window = { low: from_id, high: to_id + 1 };
    const [{ ids }, marked, ranges, ends] = await Promise.all([
      unreadIn(connection, userId, [conversation_id], window, NO_END),
      markedInRange(connection, userId, from_id, to_id, conversation_id),
      rangesOfConversation(connection, userId, conversation_id),
      around(connection, userId, from_id, to_id),
    ]);
    const [previous_id, next_id] = [ends[0]?.previous_id ?? null, ends.at(-1)?.next_id ?? null];
    const newcomer = { conversation_id, id: from_id, to_id, previous_id, next_id };
    await Promise.all([
      ids.length > 0 && coverMessages(connection, userId, [newcomer], ranges),
      clearFlag(connection, userId, marked, UNREAD_BIT),
    ]);
    return marked.length === 0 ? inOrder(ids) : inOrder([...new Set([...ids, ...marked])]);
  },
} satisfies Partial<Queries<ReadStateStore>>;

async function coverMessages(
  connection: Connection,
  userId: number,
  messages: readonly (ReadMessage & { conversation_id: number })[],
  stored: readonly StoredRange[],
): Promise<void> {
  const ranges = groupBy(stored, ({ conversation_id }) => conversation_id);
  const gone: [number, number][] = [];
  const kept: [number, number, number][] = [];
  for (const [conversation, newlyRead] of groupBy(messages, ({ conversation_id }) => conversation_id)) {
    const change = cover(ranges.get(conversation) ?? [], newlyRead);
    for (const range of change.gone) gone.push([conversation, range.from_id]);
    for (const range of change.kept) kept.push([conversation, range.from_id, range.to_id]);
  }
  await Promise.all([deleteRanges(connection, userId, gone), insertRanges(connection, userId, kept)]);
}
