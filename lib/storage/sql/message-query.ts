import type { MessageQuery } from '../interface/messages.ts';
import type { SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';
import {
  Conditions,
  conversationConditions,
  flagMask,
  isOfConversations,
  messageConditions,
  type SqlTerm,
} from './message-terms.ts';
import { RECEIVED, RECEIVED_IN_CHANNEL } from './read-rule.ts';

/** A query without searches. */
export type SqlQuery = Omit<MessageQuery, 'terms'> & { terms?: readonly SqlTerm[] };

export interface Statement {
  text: string;
  params: SqlValue[];
}

/** Start and direction of a page of IDs. */
export interface Page {
  from: number;
  direction: 'before' | 'after';
  limit: number;
}

/** IDs to test among all messages before the conversations are merged. */
const IDS_PER_WINDOW = 2_000;

/** Statements for the IDs nearest to the start of the page, in page order. */
interface IdStatements {
  all: Statement;
  /** Only if `all` costs much: finds those in a short window. If they fill the page, `all` is not needed. */
  nearby?: Statement;
}

/** Not for a query without places. */
export function idStatements(dialect: Dialect['name'], query: SqlQuery, page: Page): IdStatements {
  const { viewer, terms = [] } = query;
  // Rare rows, read in ID order. The places only filter them.
  const rare = terms.filter(({ test, negated }) => RARE.includes(test) && !negated);
  const flagged = rare.some(({ test }) => test === 'ids') ? undefined : rare.find((term) => term.test === 'flagged');
  if (flagged) {
    const rest = { ...query, terms: terms.filter((term) => term !== flagged) };
    const holds = 'f.user_id = ? AND (f.bits & CAST(? AS BIGINT)) <> 0 AND m.id = f.message_id';
    const conditions = new Conditions().add(holds, viewer, flagMask(flagged)).join(conditionsOf(rest));
    return { all: straight('message_flags f CROSS JOIN messages m', 'f.message_id', conditions, page) };
  }
  if (rare.length > 0 || onlyConversation(query) !== undefined) {
    return { all: straight('messages m', 'm.id', conditionsOf(query), page) };
  }
  const all = merge(dialect, placesOf(query), access(query).join(messageConditions(terms, viewer)), page);
  if (isConfined(query)) return { all };
  return { all, nearby: straight('messages m', 'm.id', nearby(page).join(conditionsOf(query)), page) };
}

/** Whether the query names places, but none is left: the reader may see none of them. */
export function hasNoPlaces({ conversations, channels }: Omit<SqlQuery, 'terms'>): boolean {
  return conversations?.length === 0 || channels?.length === 0;
}

const RARE: readonly SqlTerm['test'][] = ['ids', 'flagged', 'sender'];

/** All conditions for a message `m`. */
export function conditionsOf(query: SqlQuery): Conditions {
  return placed(query)
    .join(access(query))
    .join(messageConditions(query.terms ?? [], query.viewer));
}

/** The only place of the query, if it is one conversation. */
function onlyConversation({ conversations, channels }: SqlQuery): number | undefined {
  return conversations?.length === 1 && !channels ? conversations[0] : undefined;
}

/** Whether the places are few enough to query each of them. */
function isConfined({ conversations, channels, terms = [] }: SqlQuery): boolean {
  if (conversations || channels?.length === 1) return true;
  return terms.some((term) => isOfConversations(term) && !term.negated && term.test !== 'channel kind');
}

/** Read permission of the viewer, without the places of the query. */
function access(query: SqlQuery): Conditions {
  const { viewer, receivedOnlyIn = [], leftIn } = query;
  const conditions = new Conditions();
  if (isOfReceived(query)) conditions.add(EARLIEST, viewer, viewer).add(RECEIVED, viewer, viewer);
  if (receivedOnlyIn.length > 0) {
    conditions.add(
      `(NOT EXISTS (SELECT 1 FROM conversations oc WHERE oc.id = m.conversation_id AND oc.channel_id IN_IDS(?))
        OR ${RECEIVED_IN_CHANNEL})`,
      JSON.stringify(receivedOnlyIn),
      viewer,
    );
  }
  if (leftIn !== undefined) conditions.add(AS_LEFT, viewer, viewer, leftIn, viewer, leftIn, viewer, leftIn);
  return conditions;
}

/**
 * A time of the viewer's subscription to a channel that they have left: that of the newest message before they left. Takes the user's id and the channel.
 */
const STILL_THERE = `COALESCE((
  SELECT lt.timestamp FROM messages lt
  WHERE lt.id <= (SELECT MAX(lp.to_message_id) FROM subscription_periods lp WHERE lp.user_id = ? AND lp.channel_id = ?)
  ORDER BY lt.id DESC LIMIT 1), 0)`;

/** Received, and neither edited nor moved since the viewer left. Takes the user's id, then three times it and the channel. */
const AS_LEFT = `(${RECEIVED_IN_CHANNEL}
  AND COALESCE(m.last_edit_timestamp, -1) < ${STILL_THERE} AND COALESCE(m.last_moved_timestamp, -1) < ${STILL_THERE}
  AND NOT EXISTS (
    SELECT 1 FROM conversations lm
    WHERE lm.id = m.conversation_id AND lm.moved_up_to >= m.id AND lm.moved_timestamp >= ${STILL_THERE}))`;

function isOfReceived({ conversations, channels }: SqlQuery): boolean {
  return !conversations && !channels;
}

/** Lower bound of the search for a user who has received little. 0 if there are direct messages. */
const EARLIEST = `m.id > (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM conversation_participants ep WHERE ep.user_id = ?) THEN 0
    ELSE (SELECT MIN(es.after_message_id) FROM subscription_periods es WHERE es.user_id = ?) END)`;

/** Conditions of the query for a conversation `pc`. */
function placeConditions({ viewer, conversations, channels, hiddenIn = [], terms = [] }: SqlQuery): Conditions {
  const named: SqlTerm[] = [];
  if (conversations) named.push({ test: 'conversations', ids: conversations });
  if (channels) named.push({ test: 'channels', ids: channels });
  if (hiddenIn.length > 0) named.push({ test: 'channels', ids: hiddenIn, negated: true });
  return conversationConditions([...named, ...terms], viewer);
}

/** The places of the query as a condition on a message. */
function placed(query: SqlQuery): Conditions {
  const id = onlyConversation(query);
  if (id !== undefined) {
    const { conversations: _, ...rest } = query;
    const conditions = placeConditions(rest);
    const inside = new Conditions().add('m.conversation_id = ?', id);
    if (conditions.texts.length === 0) return inside;
    const fits = `EXISTS (SELECT 1 FROM conversations pc WHERE pc.id = ? AND ${conditions.text})`;
    return inside.add(fits, id, ...conditions.params);
  }
  const conditions = placeConditions(query);
  if (conditions.texts.length === 0) return conditions;
  // Not as EXISTS: PostgreSQL takes a channel for one of the usual size, and would compare each message with each of
  // its conversations.
  return new Conditions().add(
    `(SELECT ${conditions.text} FROM conversations pc WHERE pc.id = m.conversation_id) IS TRUE`,
    ...conditions.params,
  );
}

/** The places of the query as conversations: the given ones, or those in which the viewer has received messages. */
function placesOf(query: SqlQuery): Statement {
  const { text, params } = placeConditions(query);
  if (!isOfReceived(query)) return { text: `SELECT pc.id FROM conversations pc WHERE ${text}`, params };
  return {
    text: `SELECT pc.id FROM conversations pc
      WHERE pc.channel_id IN (SELECT pp.channel_id FROM subscription_periods pp WHERE pp.user_id = ?) AND ${text}
      UNION
      SELECT pc.id FROM conversation_participants pp JOIN conversations pc ON pc.id = pp.conversation_id
      WHERE pp.user_id = ? AND ${text}`,
    params: [query.viewer, ...params, query.viewer, ...params],
  };
}

/**
 * In a small organization, most messages near the start of the page are the viewer's. So a short window is tested
 * before all conversations of the viewer are merged.
 */
function nearby(page: Page): Conditions {
  const { comparison, nearest } = wordsOf(page);
  const edge = `(SELECT ${nearest}(e.id) FROM messages e WHERE e.id ${comparison} ?)`;
  const inside =
    page.direction === 'before' ? `m.id > ${edge} - ${IDS_PER_WINDOW}` : `m.id < ${edge} + ${IDS_PER_WINDOW}`;
  return new Conditions().add(inside, page.from);
}

function straight(tables: string, id: string, conditions: Conditions, page: Page): Statement {
  const { comparison, order } = wordsOf(page);
  return {
    text: `SELECT m.id FROM ${tables} WHERE ${conditions.texts.join(' AND ')} AND ${id} ${comparison} ?
      ORDER BY ${id} ${order} LIMIT ?`,
    params: [...conditions.params, page.from, page.limit],
  };
}

/**
 * A k-way merge of many conversations: one head per conversation, and the nearest head is replaced by the next message
 * of its conversation. The recursive query of SQLite processes its queue in ORDER BY order and stops at the outer
 * LIMIT.
 */
function merge(dialect: Dialect['name'], places: Statement, conditions: Conditions, page: Page): Statement {
  const { comparison, order, nearest } = wordsOf(page);
  const filter = conditions.texts.map((text) => ` AND ${text}`).join('');
  if (dialect === 'postgres') {
    return {
      text: `SELECT line.id FROM (${places.text}) AS places
        CROSS JOIN LATERAL (
          SELECT m.id FROM messages m WHERE m.conversation_id = places.id AND m.id ${comparison} ?${filter}
          ORDER BY m.id ${order} LIMIT ?
        ) AS line
        ORDER BY line.id ${order} LIMIT ?`,
      params: [...places.params, page.from, ...conditions.params, page.limit, page.limit],
    };
  }
  return {
    text: `WITH RECURSIVE places(id) AS (${places.text}),
      line(id, conversation_id) AS (
        SELECT (SELECT ${nearest}(h.id) FROM messages h
            WHERE h.conversation_id = places.id AND h.id ${comparison} ?), places.id
          FROM places
        UNION ALL
        SELECT (SELECT ${nearest}(h.id) FROM messages h
            WHERE h.conversation_id = line.conversation_id AND h.id ${comparison} line.id), line.conversation_id
          FROM line WHERE line.id IS NOT NULL
        ORDER BY 1 ${order}
      )
      SELECT line.id FROM line${filter && ' CROSS JOIN messages m'}
      WHERE line.id IS NOT NULL${filter && ' AND m.id = line.id'}${filter} LIMIT ?`,
    params: [...places.params, page.from, ...conditions.params, page.limit],
  };
}

export function wordsOf(page: Page) {
  return page.direction === 'before'
    ? ({ comparison: '<', order: 'DESC', nearest: 'MAX', furthest: 'MIN' } as const)
    : ({ comparison: '>', order: 'ASC', nearest: 'MIN', furthest: 'MAX' } as const);
}

export function inPageOrder(ids: number[], { direction }: Page): number[] {
  return ids.sort((a, b) => (direction === 'after' ? a - b : b - a));
}
