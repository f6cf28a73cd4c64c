import type { Dialect } from './dialect.ts';
import { NO_END } from './periods.ts';
import { floorIn, isMuted } from './read-rule.ts';

/**
 * What is unread in a window of message ids, found between the ranges of its reader. What lies below the window
 * counts as read, so neither ranges nor messages are visited that have nothing to do with it, and what is found
 * comes as it is found: a LIMIT ends the search.
 */

type Engine = Dialect['name'];

/** All conversations in which a user may have something unread. Takes twice: the window, the user. */
export const ALL_SOURCES = sources('', '');
/** Conversations of a list in which a user may have something unread. Takes twice: the window, the user, the list. */
export const LISTED_SOURCES = sources(' AND c.id IN_IDS(?)', ' AND p.conversation_id IN_IDS(?)');
/** Topics of a channel in which a user may have something unread. Takes twice: the window, the user, the channel. */
export const CHANNEL_SOURCES = sources(' AND s.channel_id = ?', ' AND CAST(? AS BIGINT) IS NULL');

/** Topics of a channel as somebody left them: takes the user, the last message that counts as read, the end and the channel. */
export const LEFT_SOURCES = left('c.channel_id = ?');
/** Topics of a list as somebody left them: takes the user, the last message that counts as read, the end, the list. */
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

/** `outer` with each row of the table that its row asks for: by an index, whatever the planner thinks of the table. */
function each(engine: Engine, outer: string, table: string, name: string, condition: string): string {
  if (engine === 'sqlite') return `${outer} CROSS JOIN ${table} ${name} WHERE ${condition}`;
  return `${outer} CROSS JOIN LATERAL (SELECT ${name}.* FROM ${table} ${name} WHERE ${condition} OFFSET 0) AS ${name}`;
}

// The next range's beginning, or the end of the window.
const nextAfter = (place: string) => `COALESCE((
      SELECT MIN(n.from_id) FROM read_ranges n
      WHERE n.user_id = s.user_id AND n.conversation_id = s.conversation_id
        AND n.from_id > ${place} AND n.from_id < s.high), s.high)`;

// How far the first range reaches on from the beginning.
const READ_FROM_BASE = `COALESCE((
        SELECT CASE WHEN r.to_id > s.base THEN r.to_id ELSE s.base END FROM read_ranges r
        WHERE r.user_id = s.user_id AND r.conversation_id = s.conversation_id AND r.from_id <= s.base + 1
        ORDER BY r.from_id DESC LIMIT 1), s.base)`;

/** Those of the sources `of` with messages after what has been read without a gap. Takes what the sources take. */
export function notWhollyRead(engine: Engine, of: string): string {
  return `
  SELECT s.conversation_id AS id FROM (
    SELECT s.user_id, s.conversation_id, s.high, ${READ_FROM_BASE} AS after_id FROM (${of}) AS s) AS s
  WHERE EXISTS (
    SELECT 1 FROM messages m WHERE ${within(engine, 's.conversation_id', 's.after_id', 's.high')} LIMIT 1)
  ORDER BY s.conversation_id`;
}

/** The beginning of a statement, up to a table `gaps` of what lies between ranges. Takes what the sources take. */
export function gapsWithin(engine: Engine, of: string): string {
  const ranges = each(
    engine,
    'sources s',
    'read_ranges',
    'r',
    `r.user_id = s.user_id AND r.conversation_id = s.conversation_id AND r.from_id > s.base AND r.from_id < s.high`,
  );
  return `WITH sources(user_id, conversation_id, base, high) AS (${of}),
  gaps(user_id, conversation_id, after_id, before_id) AS (
    SELECT s.user_id, s.conversation_id,
      ${READ_FROM_BASE},
      ${nextAfter('s.base')}
    FROM sources s
    UNION ALL
    SELECT s.user_id, s.conversation_id, r.to_id, ${nextAfter('r.from_id')} FROM ${ranges}
  )`;
}

/** From a table `g` like `gaps`, the unread messages `m` in it: what stands between FROM and LIMIT. Takes `limitParams`. */
export function messagesIn(engine: Engine, gaps: string): string {
  const isUnread = `NOT (m.sender_id = g.user_id AND m.read_by_sender = 1)`;
  if (engine === 'sqlite') {
    return `${gaps} g CROSS JOIN messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')} AND ${isUnread} AND NOT ${isMuted('g.user_id')}`;
  }
  // In their order and so many at most, so that they are taken from the index one after another; and not joined with whom the reader has
  // muted, or all of them would be gathered for the join.
  return `${gaps} g CROSS JOIN LATERAL (
      SELECT m.id, m.conversation_id FROM messages m
      WHERE ${within(engine, 'g.conversation_id', 'g.after_id', 'g.before_id')} AND ${isUnread}
        AND CASE WHEN ${isMuted('g.user_id')} THEN FALSE ELSE TRUE END
      ORDER BY m.id LIMIT ?) AS m`;
}

/**
 * Messages of a conversation between two ids. PostgreSQL would go through the messages of everywhere where it thinks
 * that one conversation has most of them: so it compares what only the conversation's own index has.
 */
function within(engine: Engine, conversation: string, after: string, before: string): string {
  if (engine === 'sqlite') return `m.conversation_id = ${conversation} AND m.id > ${after} AND m.id < ${before}`;
  return `m.conversation_id = ${conversation} AND (m.conversation_id, m.id) > (${conversation}, ${after})
        AND (m.conversation_id, m.id) < (${conversation}, ${before})`;
}

/**
 * Ids of unread messages, and the conversation of each: two values in the same order, since as many rows would cost
 * several times as much as finding them. Takes what the sources take, and `limitParams`.
 */
export function unreadOf(engine: Engine, of: string): string {
  return `
  SELECT ID_LIST(u.conversation_id) AS conversations, ID_LIST(u.id) AS ids FROM (
    ${gapsWithin(engine, of)}
    SELECT m.conversation_id, m.id FROM ${messagesIn(engine, 'gaps')} LIMIT ?) AS u`;
}

/** What a statement of `messagesIn` that ends in `LIMIT ?` takes at its end. */
export function limitParams(engine: Engine, limit: number): number[] {
  return engine === 'postgres' ? [limit, limit] : [limit];
}

/** Of each engine, once. */
export function onEach(text: (engine: Engine) => string): Readonly<Record<Engine, string>> {
  return { sqlite: text('sqlite'), postgres: text('postgres') };
}
