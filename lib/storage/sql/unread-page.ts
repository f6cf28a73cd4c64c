import type { Connection, SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { conditionsOf, type Page, type SqlQuery, wordsOf } from './message-query.ts';
import type { SqlTerm } from './message-terms.ts';
import { UNREAD_BIT } from './read-rule.ts';
import { ALL_SOURCES, CHANNEL_SOURCES, LISTED_SOURCES, limitParams, onEach, unreadOf } from './unread-gaps.ts';

/**
 * A page of what is unread, at the cost of what is answered: windows of message ids are gone through from where the
 * page begins, as wide as what is wanted is expected to lie, and what is unread in them is asked whether it fits.
 */

type UnreadTerm = Extract<SqlTerm, { test: 'unread' }>;

const IN_WINDOW = {
  everywhere: onEach((engine) => unreadOf(engine, ALL_SOURCES)),
  listed: onEach((engine) => unreadOf(engine, LISTED_SOURCES)),
  channel: onEach((engine) => unreadOf(engine, CHANNEL_SOURCES)),
};
const MARKED = `
  SELECT ID_LIST(f.message_id) AS ids FROM (
    SELECT message_id FROM message_flags
    WHERE user_id = ? AND (bits & ${UNREAD_BIT}) <> 0 AND message_id >= ? AND message_id < ? LIMIT ?) AS f`;
/** The first or the last message there is in what is left. */
const EDGES = `
  SELECT (SELECT MIN(id) FROM messages WHERE id >= ?) AS low, (SELECT MAX(id) FROM messages WHERE id < ?) AS high`;

/** Messages found unread in a window are asked together: so many at first, and more where few of them fit. */
const FIRST = 500;
const MOST = 10_000;

/**
 * Of a query, the term that only what is unread passes, where the pages of `unreadPage` are the way to it. They are
 * not where something else is rarer: of one sender, PostgreSQL sees by its statistics which way is shorter.
 */
export function unreadTerm(engine: Dialect['name'], { terms = [] }: SqlQuery): UnreadTerm | undefined {
  const others = terms.filter((term) => !term.negated);
  if (others.some(({ test }) => test === 'ids' || test === 'flagged')) return undefined;
  if (engine === 'postgres' && others.some(({ test }) => test === 'sender')) return undefined;
  return others.find((term): term is UnreadTerm => term.test === 'unread');
}

/** The ids nearest to the page's beginning, in the page's order. */
export async function unreadPage(
  connection: Connection,
  query: SqlQuery,
  term: UnreadTerm,
  page: Page,
): Promise<number[]> {
  if (query.conversations?.length === 0 || query.channels?.length === 0) return [];
  const isUp = page.direction === 'after';
  const conditions = conditionsOf({ ...query, terms: (query.terms ?? []).filter((one) => one !== term) });
  const { order } = wordsOf(page);
  const fitting = `SELECT ID_LIST(w.id) AS ids FROM (
    SELECT m.id FROM messages m WHERE m.id IN_IDS(?) AND ${conditions.text} ORDER BY m.id ${order} LIMIT ?) AS w`;
  const edges = await connection.get<{ low: number | null; high: number | null }>(EDGES, [
    ...(isUp ? [page.from + 1, Number.MAX_SAFE_INTEGER] : [0, page.from]),
  ]);
  let low = edges?.low ?? 0;
  let high = (edges?.high ?? -1) + 1;
  const found: number[] = [];
  let most = Math.max(FIRST, 2 * page.limit);
  let width = most;
  while (low < high && found.length < page.limit) {
    const window = isUp ? { low, high: Math.min(high, low + width) } : { low: Math.max(low, high - width), high };
    const unread = await unreadWithin(connection, query, window, most);
    // No window that is as wide as what it may hold can hold more.
    if (!unread) {
      width = Math.max(most, Math.floor(width / 4));
      continue;
    }
    if (unread.length > 0) {
      const row = await connection.get<{ ids: string | null }>(
        fitting,
        [JSON.stringify(unread), ...conditions.params, page.limit - found.length],
        { once: true },
      );
      found.push(...(JSON.parse(row?.ids ?? '[]') as number[]));
    }
    if (isUp) low = window.high;
    else high = window.low;
    most = Math.max(most, Math.min(MOST, most * 2));
    const density = Math.max(unread.length, 1) / (window.high - window.low);
    width = Math.ceil(Math.min(width * 8, Math.max(most, most / density / 2)));
  }
  return found;
}

/** What is unread between two ids, in no order; undefined where it is more than so much. */
async function unreadWithin(
  connection: Connection,
  { viewer, conversations, channels }: SqlQuery,
  { low, high }: { low: number; high: number },
  most: number,
): Promise<number[] | undefined> {
  const engine = connection.dialect.name;
  const place: SqlValue[] = conversations
    ? [JSON.stringify(conversations)]
    : channels?.length === 1
      ? [channels[0] as number]
      : [];
  const statements = conversations ? IN_WINDOW.listed : place.length > 0 ? IN_WINDOW.channel : IN_WINDOW.everywhere;
  const source: SqlValue[] = [low, high, viewer, ...place];
  const ids = new Set<number>();
  for (const [text, params] of [
    [statements[engine], [...source, ...source, ...limitParams(engine, most + 1)]],
    [MARKED, [viewer, low, high, most + 1]],
  ] as const) {
    const row = await connection.get<{ ids: string | null }>(text, params);
    const some = JSON.parse(row?.ids ?? '[]') as number[];
    if (some.length > most) return undefined;
    for (const id of some) ids.add(id);
  }
  return [...ids];
}
