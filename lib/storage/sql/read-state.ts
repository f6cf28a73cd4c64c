import { keysOf } from '../../base/keys.ts';
import { groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import type { ReadStateStore } from '../interface/read-state.ts';
import { type Connection, inOrder } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { clearFlag } from './flags.ts';
import { leftUnread } from './left-unread.ts';
import { cover, type Range, type ReadMessage } from './read-ranges.ts';
import {
  ANY_MENTION,
  COVERED,
  FLAG_BITS,
  isMuted,
  MARKED_UNREAD,
  NO_END,
  READ,
  RECEIVED,
  RECEIVED_IN_CHANNEL,
  SUBSCRIBED,
  TAKES_PART,
  UNREAD_BIT,
} from './read-rule.ts';
import { readSlices, unreadIn, unreadPlaces } from './read-slices.ts';
import { after, ids, keyed, locking, onEach, type Queries, rows, run } from './store.ts';
import { between, inWindows, PLACED_SOURCES, unreadOf, type Window } from './unread-gaps.ts';

const unreadInPlaces = unreadOf(PLACED_SOURCES, { isOneReader: true });
const MARKED = `
  SELECT m.id, m.conversation_id FROM message_flags f JOIN messages m ON m.id = f.message_id
  JOIN conversations c ON c.id = m.conversation_id
  WHERE f.user_id = ? AND (f.bits & ${UNREAD_BIT}) <> 0 AND CASE WHEN c.channel_id IS NULL
    THEN EXISTS (SELECT 1 FROM conversation_participants p WHERE p.user_id = f.user_id AND p.conversation_id = c.id)
    ELSE EXISTS (
      SELECT 1 FROM subscriptions s WHERE s.user_id = f.user_id AND s.channel_id = c.channel_id AND s.active = 1) END
  ORDER BY f.message_id DESC LIMIT ?`;
const FLAGGED = `
  SELECT message_id AS id, bits FROM message_flags WHERE user_id = ? AND message_id >= ? ORDER BY message_id LIMIT ?`;
const MENTIONED = `
  SELECT message_id AS id, bits FROM message_flags
  WHERE message_id IN_IDS(?) AND user_id = ? AND (bits & ${ANY_MENTION}) <> 0`;
/** Up to this many rows, all flags are read instead of one lookup per message. */
const MAX_SCANNED_FLAGS = 20_000;

/** Number of unread messages to search for without windows first. */
const MAX_WITHOUT_WINDOWS = 2_000;

interface Unread {
  id: number;
  conversation_id: number;
}

/** The newest unread messages of a user, newest first, at a cost proportional to the result. */
const newestUnread: Queries<ReadStateStore>['unread'] = async (connection, userId, limit) => {
  const [unread, marked] = await Promise.all([
    newestInGaps(connection, userId, limit),
    connection.all<Unread>(MARKED, [userId, limit]),
  ]);
  const all = new Map([...unread, ...marked].map((message) => [message.id, message]));
  const newest = [...all.values()].sort((a, b) => b.id - a.id).slice(0, limit);
  const oldest = newest.at(-1);
  if (!oldest) return [];
  const ids = newest.map(({ id }) => id);
  const mentioned = await mentionedAmong(connection, userId, { ids, oldest: oldest.id });
  return newest.map((message) => ({ ...message, mentioned: mentioned.has(message.id) }));
};

async function mentionedAmong(
  connection: Connection,
  userId: number,
  { ids, oldest }: { ids: readonly number[]; oldest: number },
): Promise<Set<number>> {
  type Flags = { id: number; bits: number };
  let rows = await connection.all<Flags>(FLAGGED, [userId, oldest, MAX_SCANNED_FLAGS + 1]);
  if (rows.length > MAX_SCANNED_FLAGS) rows = await connection.all<Flags>(MENTIONED, [JSON.stringify(ids), userId]);
  return new Set(rows.filter(({ bits }) => (bits & ANY_MENTION) !== 0).map(({ id }) => id));
}

/** At least the newest `limit` messages, and some more. */
async function newestInGaps(connection: Connection, userId: number, limit: number): Promise<Unread[]> {
  // Conversations without unread messages (most) are skipped before the windows.
  const places = await unreadPlaces(connection, userId);
  if (places.length === 0) return [];
  const list = places.map(({ id, after_id }) => [id, after_id]);
  const find = async ({ low, high }: Window, most: number): Promise<Unread[] | undefined> => {
    const { conversations, ids } = await unreadInPlaces(connection, list, most + 1, userId, low, high);
    if (ids.length > most) return undefined;
    return ids.map((id, at) => ({ id, conversation_id: present(conversations[at]) }));
  };
  const last = (await connection.value('SELECT MAX(id) FROM messages')) ?? 0;
  const most = Math.ceil(limit * 1.2);
  // Most users have few unread messages. Then this is the result. If the first window is everything, it costs no more.
  const few = last < most ? undefined : await find({ low: 0, high: NO_END }, Math.min(MAX_WITHOUT_WINDOWS, limit));
  if (few) return few;
  let found: Unread[] = [];
  for await (const unread of inWindows({ low: 0, high: last + 1 }, { isUp: false, most }, find)) {
    found = found.concat(unread);
    if (found.length >= limit) break;
  }
  return found;
}

type Engine = Dialect['name'];

// Changes of the read state of a user. Each change reads the ranges before it writes them, so it takes a lock of the
// user if writers run concurrently.

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

const readMarks = {
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
      unreadIn(connection, userId, [conversation_id], { ...window, limit: NO_END }),
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

const FLAGS = keysOf(FLAG_BITS).map((flag) => [flag, FLAG_BITS[flag]] as const);

function flagNames({ bits, covered, historical }: { bits: number; covered: number; historical: number }): string[] {
  const names: string[] = [];
  if (covered === 1 && (bits & UNREAD_BIT) === 0) names.push('read');
  if (bits !== 0) for (const [name, bit] of FLAGS) if ((bits & bit) === bit) names.push(name);
  if (historical === 1) names.push('historical');
  return names;
}

export const readState: Queries<ReadStateStore> = {
  flagsOf: after(
    rows<{ id: number; bits: number; covered: number; historical: number }>(`
      SELECT m.id, COALESCE(f.bits, 0) AS bits,
        CASE WHEN ${COVERED.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS covered,
        CASE WHEN c.channel_id IS NOT NULL AND NOT ${RECEIVED_IN_CHANNEL.replaceAll('?', '?1')} THEN 1 ELSE 0 END AS historical
      FROM messages m
      JOIN conversations c ON c.id = m.conversation_id
      LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = ?1
      WHERE m.id IN_IDS(?2)`),
    (found) => new Map(found.map((message) => [message.id, flagNames(message)])),
  ),
  ...leftUnread,
  ...readMarks,
  ...readSlices,
  unread: newestUnread,
  async isAllRead(connection, userId) {
    await connection.concurrency?.serializeAppends();
    return (await newestUnread(connection, userId, 1)).length === 0;
  },
  readersOf: ids(`
    SELECT u.id FROM messages m CROSS JOIN users u
    WHERE m.id = ? AND u.is_active = 1 AND ${RECEIVED.replaceAll('?', 'u.id')} AND ${READ.replaceAll('?', 'u.id')}
    ORDER BY u.id`),
  unreadConversations: async (connection, userId, channelId) =>
    (await unreadPlaces(connection, userId, channelId)).map(({ id }) => id),
};
