import type { Feed, MessageFlag } from '../storage.ts';
import type { SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { FLAG_BITS, READ, RECEIVED, RECEIVED_IN_CHANNEL, UNREAD_IDS } from './read-rule.ts';

export interface Query {
  text: string;
  params: SqlValue[];
}

/** Where a walk goes and where it begins. */
export interface Walk {
  from: number;
  direction: 'before' | 'after';
  limit: number;
}

/** Conditions on a message `m`, and their parameters in the order of the text. */
class Conditions {
  readonly texts: string[] = [];
  readonly params: SqlValue[] = [];

  add(text: string, ...params: SqlValue[]): void {
    this.texts.push(text);
    this.params.push(...params);
  }
}

/** Message ids that a walk through everything received looks at before it asks each conversation. */
const WINDOW = 2_000;

/** Whether the feed names nothing that could drive a walk: all that the viewer received, perhaps filtered. */
function isEverything({ ids, flags = {}, sender, conversations, channels, kind }: Feed): boolean {
  const isDriven = Object.entries(flags).some(([name, wanted]) => wanted && name in { ...FLAG_BITS, unread: 0 });
  return !ids && !isDriven && sender === undefined && !conversations && !channels && kind === undefined;
}

/**
 * Queries for ids nearest to the walk's beginning, in the walk's order: a later one is asked only when
 * the one before did not fill the limit. None when there can be nothing.
 */
export function feedQueries(dialect: Dialect['name'], feed: Feed, walk: Walk): Query[] {
  if (isEverything(feed)) return everything(dialect, feed, walk);
  const query = feedQuery(dialect, feed, walk);
  return query ? [query] : [];
}

/**
 * Near the walk's beginning most messages are the viewer's in a small organization, and hardly any in a
 * large one: a short look at the newest, then a merge of the viewer's own conversations.
 */
function everything(dialect: Dialect['name'], feed: Feed, walk: Walk): Query[] {
  const { comparison, nearest } = wordsOf(walk);
  const filters = () => {
    const conditions = new Conditions();
    narrow(conditions, feed);
    const { lacks } = flagMasks(feed);
    if (lacks !== 0) conditions.add(`NOT ${flagged('<> 0')}`, feed.viewer, lacks);
    return conditions;
  };
  const near = new Conditions();
  const edge = `(SELECT ${nearest}(e.id) FROM messages e WHERE e.id ${comparison} ?)`;
  near.add(walk.direction === 'before' ? `m.id > ${edge} - ${WINDOW}` : `m.id < ${edge} + ${WINDOW}`, walk.from);
  near.add(RECEIVED, feed.viewer, feed.viewer);
  const own = new Conditions();
  own.add(RECEIVED, feed.viewer, feed.viewer);
  const places = {
    text: `SELECT pc.id FROM conversations pc
      WHERE pc.channel_id IN (SELECT pp.channel_id FROM subscription_periods pp WHERE pp.user_id = ?)
      UNION SELECT pd.conversation_id FROM conversation_participants pd WHERE pd.user_id = ?`,
    params: [feed.viewer, feed.viewer],
  };
  return [
    straight('messages m', 'm.id', [], join(near, filters()), walk),
    merge(dialect, places, join(own, filters()), walk),
  ];
}

function feedQuery(dialect: Dialect['name'], feed: Feed, walk: Walk): Query | undefined {
  if (feed.conversations?.length === 0 || feed.channels?.length === 0 || feed.ids?.length === 0) return undefined;
  if (feed.kind === 'direct' && feed.channels) return undefined;

  const { has, lacks } = flagMasks(feed);
  const conditions = new Conditions();
  narrow(conditions, feed);
  if (lacks !== 0) conditions.add(`NOT ${flagged('<> 0')}`, feed.viewer, lacks);

  // What is rare drives the walk, and the places only filter it.
  if (feed.ids) {
    if (has !== 0) conditions.add(flagged('= CAST(? AS BIGINT)'), feed.viewer, has, has);
    if (feed.flags?.unread) conditions.add(`NOT ${READ}`, ...Array(4).fill(feed.viewer));
    if (feed.sender !== undefined) conditions.add('m.sender_id = ?', feed.sender);
    return straight('messages m', 'm.id', [], within(conditions, feed), walk);
  }
  if (has !== 0) {
    const driven = new Conditions();
    driven.add(
      'f.user_id = ? AND (f.bits & CAST(? AS BIGINT)) = CAST(? AS BIGINT) AND m.id = f.message_id',
      feed.viewer,
      has,
      has,
    );
    if (feed.flags?.unread) driven.add(`NOT ${READ}`, ...Array(4).fill(feed.viewer));
    if (feed.sender !== undefined) driven.add('m.sender_id = ?', feed.sender);
    return straight(
      'message_flags f CROSS JOIN messages m',
      'f.message_id',
      [],
      within(join(driven, conditions), feed),
      walk,
    );
  }
  if (feed.flags?.unread) {
    const driven = new Conditions();
    driven.add('m.id = u.id');
    if (feed.sender !== undefined) driven.add('m.sender_id = ?', feed.sender);
    const unread = `(${UNREAD_IDS}) AS u CROSS JOIN messages m`;
    return straight(unread, 'u.id', Array(4).fill(feed.viewer), within(join(driven, conditions), feed), walk);
  }
  if (feed.sender !== undefined && feed.conversations?.length !== 1) {
    const driven = new Conditions();
    driven.add('m.sender_id = ?', feed.sender);
    return straight('messages m', 'm.id', [], within(join(driven, conditions), feed), walk);
  }
  if (feed.sender !== undefined) conditions.add('m.sender_id = ?', feed.sender);
  if (feed.conversations?.length === 1 && !feed.channels && !feed.kind) {
    const driven = new Conditions();
    driven.add('m.conversation_id = ?', feed.conversations[0] as number);
    return straight('messages m', 'm.id', [], join(driven, conditions), walk);
  }
  const places = placesOf(feed);
  if (places) return merge(dialect, places, conditions, walk);
  return straight('messages m', 'm.id', [], within(conditions, feed), walk);
}

/** The stored flags a message must carry, and those it must not, as bits. */
function flagMasks(feed: Feed): { has: number; lacks: number } {
  let has = 0;
  let lacks = 0;
  for (const [name, wanted] of Object.entries(feed.flags ?? {})) {
    if (name === 'unread' || wanted === undefined) continue;
    if (wanted) has |= FLAG_BITS[name as MessageFlag];
    else lacks |= FLAG_BITS[name as MessageFlag];
  }
  return { has, lacks };
}

function flagged(comparison: string): string {
  return `EXISTS (SELECT 1 FROM message_flags ff WHERE ff.message_id = m.id AND ff.user_id = ?
    AND (ff.bits & CAST(? AS BIGINT)) ${comparison})`;
}

/** What only filters, whatever drives the walk. */
function narrow(conditions: Conditions, feed: Feed): void {
  if (feed.receivedOnlyIn?.length) {
    conditions.add(
      `(NOT EXISTS (SELECT 1 FROM conversations oc WHERE oc.id = m.conversation_id AND oc.channel_id IN_IDS(?))
        OR ${RECEIVED_IN_CHANNEL})`,
      JSON.stringify(feed.receivedOnlyIn),
      feed.viewer,
    );
  }
  if (feed.hiddenIn?.length) {
    conditions.add(
      'NOT EXISTS (SELECT 1 FROM conversations hc WHERE hc.id = m.conversation_id AND hc.channel_id IN_IDS(?))',
      JSON.stringify(feed.hiddenIn),
    );
  }
  if (feed.ids) conditions.add('m.id IN_IDS(?)', JSON.stringify(feed.ids));
  if (feed.flags?.unread === false) conditions.add(READ, ...Array(4).fill(feed.viewer));
  for (const word of feed.words ?? []) {
    conditions.add("lower(m.content) LIKE ? ESCAPE '\\'", `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  }
}

/** Conversations the feed names, as a query of their ids; undefined when it names none. */
function placesOf(feed: Feed): Query | undefined {
  if (!feed.conversations && !feed.channels && feed.kind !== 'direct') return undefined;
  const conditions = new Conditions();
  if (feed.conversations) conditions.add('pc.id IN_IDS(?)', JSON.stringify(feed.conversations));
  if (feed.channels) conditions.add('pc.channel_id IN_IDS(?)', JSON.stringify(feed.channels));
  if (feed.kind === 'channel') conditions.add('pc.channel_id IS NOT NULL');
  if (feed.kind === 'direct') {
    conditions.add(
      'pc.id IN (SELECT pp.conversation_id FROM conversation_participants pp WHERE pp.user_id = ?)',
      feed.viewer,
    );
  }
  return {
    text: `SELECT pc.id FROM conversations pc WHERE ${conditions.texts.join(' AND ')}`,
    params: conditions.params,
  };
}

/** The same conditions, in the feed's places only: those it names, or else whatever the viewer received. */
function within(conditions: Conditions, feed: Feed): Conditions {
  const places = placesOf(feed);
  const all = new Conditions();
  if (places) {
    // The plus keeps the planner from driving the walk by conversation and sorting it afterwards.
    all.add(`+m.conversation_id IN (${places.text})`, ...places.params);
  } else if (feed.kind === 'channel') {
    all.add(RECEIVED_IN_CHANNEL, feed.viewer);
  } else {
    all.add(RECEIVED, feed.viewer, feed.viewer);
  }
  if (!places) all.add(EARLIEST, feed.viewer, feed.viewer);
  return join(all, conditions);
}

/** Stops the walk of somebody who has received little or nothing; 0 once there are direct messages. */
const EARLIEST = `m.id > (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM conversation_participants ep WHERE ep.user_id = ?) THEN 0
    ELSE (SELECT MIN(es.after_message_id) FROM subscription_periods es WHERE es.user_id = ?) END)`;

function join(first: Conditions, second: Conditions): Conditions {
  if (second.texts.length > 0) first.add(second.texts.join(' AND '), ...second.params);
  return first;
}

function straight(tables: string, id: string, tableParams: SqlValue[], conditions: Conditions, walk: Walk): Query {
  const { comparison, order } = wordsOf(walk);
  return {
    text: `SELECT m.id FROM ${tables} WHERE ${conditions.texts.join(' AND ')} AND ${id} ${comparison} ?
      ORDER BY ${id} ${order} LIMIT ?`,
    params: [...tableParams, ...conditions.params, walk.from, walk.limit],
  };
}

/**
 * The newest of many conversations without reading them all: one head per conversation, and the
 * nearest head gives way to the next message of its own conversation. SQLite's recursive query
 * takes rows out of its queue in the order of its ORDER BY, and stops when the outer LIMIT is full.
 */
function merge(dialect: Dialect['name'], places: Query, conditions: Conditions, walk: Walk): Query {
  const { comparison, order, nearest } = wordsOf(walk);
  const filter = conditions.texts.map((text) => ` AND ${text}`).join('');
  if (dialect === 'postgres') {
    return {
      text: `SELECT line.id FROM (${places.text}) AS places
        CROSS JOIN LATERAL (
          SELECT m.id FROM messages m WHERE m.conversation_id = places.id AND m.id ${comparison} ?${filter}
          ORDER BY m.id ${order} LIMIT ?
        ) AS line
        ORDER BY line.id ${order} LIMIT ?`,
      params: [...places.params, walk.from, ...conditions.params, walk.limit, walk.limit],
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
    params: [...places.params, walk.from, ...conditions.params, walk.limit],
  };
}

function wordsOf(walk: Walk) {
  return walk.direction === 'before'
    ? ({ comparison: '<', order: 'DESC', nearest: 'MAX' } as const)
    : ({ comparison: '>', order: 'ASC', nearest: 'MIN' } as const);
}
