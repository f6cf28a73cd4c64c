import type { SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { floorIn, isMuted, NO_END, NO_FLOOR } from './read-rule.ts';

/**
 * Unread messages in a window of IDs, found in the gaps between the ranges of the reader. Messages below the window
 * count as read, so no other ranges or messages are read. Results are streamed, so that a LIMIT ends the search.
 */

type Engine = Dialect['name'];

/** All conversations in which a user may have unread messages. Takes twice: the window, the user. */
export const ALL_SOURCES = sources('', '');
/** Conversations of a list in which a user may have unread messages. Takes twice: the window, the user, the list. */
export const LISTED_SOURCES = sources(' AND c.id IN_IDS(?)', ' AND p.conversation_id IN_IDS(?)');
/** Topics of a channel in which a user may have unread messages. Takes twice: the window, the user, the channel. */
export const CHANNEL_SOURCES = sources(' AND s.channel_id = ?', ' AND CAST(? AS BIGINT) IS NULL');

/**
 * Conversations in which a user has something unread, each after a message up to which all is read. Takes the user,
 * the window and the pairs.
 */
export const PLACED_SOURCES = `
    SELECT w.user_id, p.a AS conversation_id, CASE WHEN p.b > w.base THEN p.b ELSE w.base END AS base, w.high
    FROM (SELECT CAST(? AS BIGINT) AS user_id, CAST(? AS BIGINT) - 1 AS base, CAST(? AS BIGINT) AS high) AS w
    CROSS JOIN PAIRS(?) AS p WHERE p.b < w.high - 1`;

/**
 * Topics of a channel when the user left it. Takes the user, the last message that counts as read, the end and the
 * channel.
 */
export const LEFT_SOURCES = left('c.channel_id = ?');
/** Topics of a list when the user left. Takes the user, the last message that counts as read, the end, the list. */
export const LEFT_LISTED_SOURCES = left('c.id IN_IDS(?)');
/** Topics of channels, for pairs (user, channel), and as deep as there are subscriptions. Takes the pairs. */
export const PAIR_SOURCES = `
    SELECT s.user_id, c.id AS conversation_id, ${floorIn('s', 'c.id')} AS base, ${NO_END} AS high FROM PAIRS(?) AS p
    JOIN subscriptions s ON s.user_id = p.a AND s.channel_id = p.b
    JOIN conversations c ON c.channel_id = s.channel_id WHERE s.active = 1`;

function left(condition: string): string {
  return `
    SELECT l.user_id, c.id AS conversation_id, ${floorIn('l', 'c.id')} AS base, l.high
    FROM (SELECT CAST(? AS BIGINT) AS user_id, CAST(? AS BIGINT) AS floor, CAST(? AS BIGINT) AS high) AS l
    CROSS JOIN conversations c WHERE ${condition}`;
}

function sources(ofTopics: string, ofDirects: string): string {
  const window = 'CAST(? AS BIGINT) - 1 AS base, CAST(? AS BIGINT) AS high';
  return `
    SELECT t.user_id, t.conversation_id, CASE WHEN t.floor > t.base THEN t.floor ELSE t.base END AS base, t.high
    FROM (
      SELECT s.user_id, c.id AS conversation_id, ${floorIn('s', 'c.id')} AS floor, ${window}
      FROM subscriptions s JOIN conversations c ON c.channel_id = s.channel_id
      WHERE s.user_id = ? AND s.active = 1${ofTopics}) AS t
    UNION ALL
    SELECT p.user_id, p.conversation_id, ${window}
    FROM conversation_participants p WHERE p.user_id = ?${ofDirects}`;
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

/**
 * Those of the sources `of` with messages after what has been read without a gap, and where that ends. Takes what the
 * sources take; see `notWhollyReadParams`.
 */
export function notWhollyRead(engine: Engine, of: string): string {
  if (engine === 'sqlite') {
    return `
  SELECT s.conversation_id AS id, s.after_id FROM (
    SELECT s.user_id, s.conversation_id, s.high, ${READ_FROM_BASE} AS after_id FROM (${of}) AS s) AS s
  WHERE EXISTS (
    SELECT 1 FROM messages m WHERE ${within(engine, 's.conversation_id', 's.after_id', 's.high')})
  ORDER BY s.conversation_id`;
  }
  // The ranges of one user together, rather than a look at each conversation's. Messages of each alone: with EXISTS,
  // PostgreSQL would hash the messages of all users.
  return `
  SELECT s.conversation_id AS id, s.after_id FROM (
    SELECT s.conversation_id, s.high, GREATEST(s.base, MAX(r.to_id)) AS after_id FROM (${of}) AS s
    LEFT JOIN read_ranges r ON r.user_id = ? AND r.conversation_id = s.conversation_id AND r.from_id <= s.base + 1
    GROUP BY s.conversation_id, s.base, s.high) AS s
  WHERE (
    SELECT m.id FROM messages m WHERE ${between(engine, ['m', 's.conversation_id'], ['s.after_id', 's.high'])} LIMIT 1) > 0
  ORDER BY s.conversation_id`;
}

/** What a statement of `notWhollyRead` takes. */
export function notWhollyReadParams(engine: Engine, source: readonly SqlValue[], userId: number): SqlValue[] {
  return engine === 'postgres' ? [...source, userId] : [...source];
}

/** The beginning of a statement, up to a table `gaps` of what lies between ranges. Takes what the sources take. */
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
  // Ranges come in their order, so each tells where the gap before it ends: one look at each conversation.
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
 * From a table `g` like `gaps`, the unread messages `m` in it: the part between FROM and LIMIT. Takes `limitParams`.
 * @param isOneReader all gaps are of one reader, and many messages are expected: the muted users are read once, not
 *   looked up for each message. Takes `oneReaderParams` instead.
 */
export function messagesIn(engine: Engine, gaps: string, { isOneReader = false } = {}): string {
  const isOwn = 'm.sender_id = g.user_id AND m.read_by_sender = 1';
  if (engine === 'sqlite') {
    return `${gaps} g CROSS JOIN messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')} AND NOT (${isOwn})
        AND NOT ${isMuted('g.user_id')}`;
  }
  const mayBeMuted = isOneReader
    ? 'm.sender_id IN (SELECT k.muted_user_id FROM muted_users k WHERE k.user_id = ?) AND '
    : '';
  // ORDER BY and LIMIT make PostgreSQL read the messages one after another from the index. The planner has no
  // statistics about a CASE, so the conditions in it do not change this plan.
  return `${gaps} g CROSS JOIN LATERAL (
      SELECT m.id, m.conversation_id FROM messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')}
        AND CASE WHEN ${isOwn} OR ${mayBeMuted}${isMuted('g.user_id')} THEN FALSE ELSE TRUE END
      ORDER BY m.id LIMIT ?) AS m`;
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
 * IDs of unread messages, and the conversation of each, as two lists in the same order. Returning a row for each
 * message would cost several times as much as finding it. Takes the parameters of the sources and of `messagesIn`.
 */
export function unreadOf(engine: Engine, of: string, options?: { isOneReader?: boolean }): string {
  return `
  SELECT ID_LIST(u.conversation_id) AS conversations, ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, of)}
    SELECT m.conversation_id, m.id FROM ${messagesIn(engine, 'gaps', options)} LIMIT ?) AS u`;
}

/** What a statement of `messagesIn` that ends in `LIMIT ?` takes at its end. */
export function limitParams(engine: Engine, limit: number): number[] {
  return engine === 'postgres' ? [limit, limit] : [limit];
}

/** The same where all gaps are of one reader. */
export function oneReaderParams(engine: Engine, userId: SqlValue, limit: number): SqlValue[] {
  return engine === 'postgres' ? [userId, limit, limit] : [limit];
}

/** Of each engine, once. */
export function onEach(text: (engine: Engine) => string): Readonly<Record<Engine, string>> {
  return { sqlite: text('sqlite'), postgres: text('postgres') };
}
