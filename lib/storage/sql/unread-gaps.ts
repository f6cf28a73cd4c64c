import { readIds } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { floorIn, isMuted, NO_END, NO_FLOOR } from './read-rule.ts';
import { after, onEach, row, rows } from './store.ts';

/**
 * Unread messages in a window of IDs, found in the gaps between the ranges of the reader. Messages below the window
 * count as read, so no other ranges or messages are read. Results are streamed, so that a LIMIT ends the search.
 */

type Engine = Dialect['name'];

/**
 * Sources: conversations in which users may have unread messages. Statements of them take
 * - `?1`: the list of conversations, the channel, or the pairs
 * - `?2`: the largest number of messages
 * - `?3`: the user
 * - `?4` and `?5`: the window of IDs, without its end
 */

export const ALL_SOURCES = sources('', '');
export const LISTED_SOURCES = sources(' AND c.id IN_IDS(?1)', ' AND p.conversation_id IN_IDS(?1)');
export const CHANNEL_SOURCES = sources(' AND s.channel_id = ?1', ' AND CAST(?1 AS BIGINT) IS NULL');

/** Pairs of a conversation with unread messages, and the message up to which all are read. */
export const PLACED_SOURCES = `
    SELECT w.user_id, p.a AS conversation_id, CASE WHEN p.b > w.base THEN p.b ELSE w.base END AS base, w.high
    FROM (SELECT CAST(?3 AS BIGINT) AS user_id, CAST(?4 AS BIGINT) - 1 AS base, CAST(?5 AS BIGINT) AS high) AS w
    CROSS JOIN PAIRS(?1) AS p WHERE p.b < w.high - 1`;

/** Topics of a channel that the user has left. The window starts after the last message that counted as read. */
export const LEFT_SOURCES = left('c.channel_id = ?1');
export const LEFT_LISTED_SOURCES = left('c.id IN_IDS(?1)');
/** Topics of channels, for pairs of a user and a subscribed channel. */
export const PAIR_SOURCES = `
    SELECT s.user_id, c.id AS conversation_id, ${floorIn('s', 'c.id')} AS base, ${NO_END} AS high FROM PAIRS(?1) AS p
    JOIN subscriptions s ON s.user_id = p.a AND s.channel_id = p.b
    JOIN conversations c ON c.channel_id = s.channel_id WHERE s.active = 1`;

function left(condition: string): string {
  return `
    SELECT l.user_id, c.id AS conversation_id, ${floorIn('l', 'c.id')} AS base, l.high
    FROM (SELECT CAST(?3 AS BIGINT) AS user_id, CAST(?4 AS BIGINT) AS floor, CAST(?5 AS BIGINT) AS high) AS l
    CROSS JOIN conversations c WHERE ${condition}`;
}

function sources(ofTopics: string, ofDirects: string): string {
  const window = 'CAST(?4 AS BIGINT) - 1 AS base, CAST(?5 AS BIGINT) AS high';
  return `
    SELECT t.user_id, t.conversation_id, CASE WHEN t.floor > t.base THEN t.floor ELSE t.base END AS base, t.high
    FROM (
      SELECT s.user_id, c.id AS conversation_id, ${floorIn('s', 'c.id')} AS floor, ${window}
      FROM subscriptions s JOIN conversations c ON c.channel_id = s.channel_id
      WHERE s.user_id = ?3 AND s.active = 1${ofTopics}) AS t
    UNION ALL
    SELECT p.user_id, p.conversation_id, ${window}
    FROM conversation_participants p WHERE p.user_id = ?3${ofDirects}`;
}

// Start of the next range, or the end of the window.
const nextAfter = (place: string) => `COALESCE((
      SELECT MIN(n.from_id) FROM read_ranges n
      WHERE n.user_id = s.user_id AND n.conversation_id = s.conversation_id
        AND n.from_id > ${place} AND n.from_id < s.high), s.high)`;

// End of the first range, if it starts at the beginning.
const READ_FROM_BASE = `COALESCE((
        SELECT CASE WHEN r.to_id > s.base THEN r.to_id ELSE s.base END FROM read_ranges r
        WHERE r.user_id = s.user_id AND r.conversation_id = s.conversation_id AND r.from_id <= s.base + 1
        ORDER BY r.from_id DESC LIMIT 1), s.base)`;

/** Sources with messages after the first gap begins, and the message before this gap. Ordered by ID. */
export const notWhollyRead = (of: string) =>
  rows<{ id: number; after_id: number }>(onEach((engine) => notWhollyReadIn(engine, of)));

function notWhollyReadIn(engine: Engine, of: string): string {
  const ofPlaces = `
  SELECT s.conversation_id AS id, s.after_id FROM (
    SELECT s.user_id, s.conversation_id, s.high, ${READ_FROM_BASE} AS after_id FROM (${of}) AS s${engine === 'sqlite' ? '' : ' OFFSET 0'}) AS s`;
  if (engine === 'sqlite') {
    return `${ofPlaces}
  WHERE EXISTS (
    SELECT 1 FROM messages m WHERE ${within(engine, 's.conversation_id', 's.after_id', 's.high')})
  ORDER BY s.conversation_id`;
  }
  // The ranges and messages of each conversation are looked up alone. With a join, PostgreSQL compares each conversation
  // with each range of the user if it expects few ranges. With EXISTS, it would hash the messages of all users.
  return `${ofPlaces}
  WHERE (
    SELECT m.id FROM messages m WHERE ${between(engine, ['m', 's.conversation_id'], ['s.after_id', 's.high'])} LIMIT 1) > 0
  ORDER BY s.conversation_id`;
}

/** The beginning of a statement, up to a table `gaps` of the gaps between ranges. */
export function gapsWithin(engine: Engine, of: string): string {
  const table = `WITH sources(user_id, conversation_id, base, high) AS (${of}),
  gaps(user_id, conversation_id, after_id, before_id) AS (`;
  if (engine === 'sqlite') {
    return `${table}
    SELECT s.user_id, s.conversation_id, ${READ_FROM_BASE}, ${nextAfter('s.base')} FROM sources s
    UNION ALL
    SELECT s.user_id, s.conversation_id, r.to_id, ${nextAfter('r.from_id')} FROM sources s CROSS JOIN read_ranges r
    WHERE r.user_id = s.user_id AND r.conversation_id = s.conversation_id AND r.from_id > s.base AND r.from_id < s.high)`;
  }
  // Ranges are in order, and the gap before a range ends where the range starts. So each conversation needs one lookup.
  return `${table}
    SELECT s.user_id, s.conversation_id, g.after_id, g.before_id FROM sources s
    LEFT JOIN LATERAL (
      SELECT r.from_id, r.to_id, LEAD(r.from_id) OVER places AS next_id, ROW_NUMBER() OVER places AS place
      FROM read_ranges r
      WHERE r.user_id = s.user_id AND r.conversation_id = s.conversation_id AND r.from_id < s.high
        AND r.from_id >= CASE WHEN s.base <= 0 THEN ${NO_FLOOR} ELSE COALESCE((
          SELECT MAX(f.from_id) FROM read_ranges f
          WHERE f.user_id = s.user_id AND f.conversation_id = s.conversation_id AND f.from_id <= s.base + 1), 0) END
      WINDOW places AS (ORDER BY r.from_id)) AS r ON TRUE
    CROSS JOIN LATERAL (VALUES
      (CASE WHEN r.place = 1 THEN s.base END, r.from_id),
      (GREATEST(s.base, r.to_id), COALESCE(r.next_id, s.high))) AS g(after_id, before_id)
    WHERE g.before_id > g.after_id + 1)`;
}

/**
 * The unread messages `m` in the table `gaps`: the part between FROM and LIMIT.
 * @param isOneReader all gaps are of one reader, and many messages are expected: the muted users are read once, not
 *   looked up for each message
 */
export function messagesIn(engine: Engine, { isOneReader = false } = {}): string {
  const isOwn = 'm.sender_id = g.user_id AND m.read_by_sender = 1';
  if (engine === 'sqlite') {
    return `gaps g CROSS JOIN messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')} AND NOT (${isOwn})
        AND NOT ${isMuted('g.user_id')}`;
  }
  const mayBeMuted = isOneReader
    ? 'm.sender_id IN (SELECT k.muted_user_id FROM muted_users k WHERE k.user_id = ?3) AND '
    : '';
  // ORDER BY and LIMIT make PostgreSQL read the messages one after another from the index. The planner has no
  // statistics about a CASE, so the conditions in it do not change this plan.
  return `gaps g CROSS JOIN LATERAL (
      SELECT m.id, m.conversation_id FROM messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')}
        AND CASE WHEN ${isOwn} OR ${mayBeMuted}${isMuted('g.user_id')} THEN FALSE ELSE TRUE END
      ORDER BY m.id LIMIT ?2) AS m`;
}

/**
 * Messages of a conversation between two IDs. If PostgreSQL expects most messages to be in one conversation, it would
 * read the messages of all conversations. So it compares a pair that only the index by conversation has.
 */
function within(engine: Engine, conversation: string, after: string, before: string): string {
  if (engine === 'sqlite') return `m.conversation_id = ${conversation} AND m.id > ${after} AND m.id < ${before}`;
  return `m.conversation_id = ${conversation} AND ${bounds('m', conversation, after, before)}`;
}

/**
 * The same in order: the part between WHERE and LIMIT. On PostgreSQL, the condition and the order fit only this index.
 * For a few rows, PostgreSQL would otherwise read another index, and may read many rows before the first match.
 */
export function between(
  engine: Engine,
  [message, conversation]: readonly [string, string],
  [after, before]: readonly [string, string],
  { order = 'ASC', and = '' }: { order?: 'ASC' | 'DESC'; and?: string } = {},
): string {
  if (engine === 'sqlite') {
    return `${message}.conversation_id = ${conversation} AND ${message}.id > ${after} AND ${message}.id < ${before}${and}
    ORDER BY ${message}.id ${order}`;
  }
  return `${bounds(message, conversation, after, before)}${and}
    ORDER BY ${message}.conversation_id ${order}, ${message}.id ${order}`;
}

function bounds(message: string, conversation: string, after: string, before: string): string {
  const key = `(${message}.conversation_id, ${message}.id)`;
  return `${key} > (${conversation}, ${after}) AND ${key} < (${conversation}, ${before})`;
}

/**
 * IDs of unread messages, and the conversation of each, as two lists with the same order. A row for each message would
 * cost several times as much as finding the message.
 */
export const unreadOf = (of: string, options?: { isOneReader?: boolean }) =>
  after(
    row<Record<'conversations' | 'ids', string | null>>(
      onEach(
        (engine) => `
  SELECT ID_LIST(u.conversation_id) AS conversations, ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, of)}
    SELECT m.conversation_id, m.id FROM ${messagesIn(engine, options)} LIMIT ?2) AS u`,
      ),
    ),
    (lists) => ({ conversations: readIds(lists?.conversations), ids: readIds(lists?.ids) }),
  );

/** Message IDs from `low` on, below `high`. */
export interface Window {
  low: number;
  high: number;
}

/** Most unread messages in a window of growing windows. */
const MAX_WINDOW_MESSAGES = 10_000;

/**
 * Searches a range of IDs from one end, window by window. Each is about as wide as `most` unread messages need.
 * @param find returns what is unread in a window, or undefined if that is more than `most`
 */
export async function* inWindows<T>(
  { low, high }: Window,
  { isUp, most }: { isUp: boolean; most: number },
  find: (window: Window, most: number) => Promise<T[] | undefined>,
): AsyncGenerator<T[], undefined> {
  let width = most;
  // The first window may be the only empty one. A window with too many messages costs as much as a full one.
  let growth = 1;
  while (low < high) {
    const window = isUp ? { low, high: Math.min(high, low + width) } : { low: Math.max(low, high - width), high };
    const unread = await find(window, most);
    // A window that is as wide as `most` cannot hold more.
    if (!unread) {
      width = Math.max(most, Math.floor((window.high - window.low) / 4));
      continue;
    }
    if (isUp) low = window.high;
    else high = window.low;
    if (unread.length > 0) {
      yield unread;
      most = Math.max(most, Math.min(MAX_WINDOW_MESSAGES, most * 2));
    }
    const density = Math.max(unread.length, 1) / (window.high - window.low);
    width = Math.ceil(Math.min(width * growth, Math.max(most, most / density / 2)));
    growth = 8;
  }
}
