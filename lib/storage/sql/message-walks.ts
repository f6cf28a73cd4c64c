import { type Connection, readIds } from './connection.ts';
import { conditionsOf, idStatements, type Page, type SqlQuery, type Statement, wordsOf } from './message-query.ts';
import { Conditions, type SqlTerm } from './message-terms.ts';
import { UNREAD_BIT } from './read-rule.ts';
import { column } from './store.ts';
import { ALL_SOURCES, CHANNEL_SOURCES, inWindows, LISTED_SOURCES, unreadOf, type Window } from './unread-gaps.ts';

/**
 * A way to find a page, if it is unknown which condition is the rare one. A word may be frequent where the reader cannot
 * see it. A sender may have written many messages that are read. So each list of messages with one of the conditions
 * starts a walk. A walk goes through its list in page order, and tests the messages with all other conditions. Walks
 * take turns, in parts that grow. The first walk that ends or fills the page has the answer, so the cost follows the
 * shortest list.
 */
export type Walk = AsyncGenerator<number[], number[]>;

/** Messages in the first part of a walk. Most pages are full after it. */
const FIRST_PART = 64;
/** Size of the next part, in parts. Other walks wait for it. Matches of the word index cost less than other messages. */
export const GROWTH = { alone: 32, inTurns: 4, wordIndex: 8 } as const;

export async function pageOf(walks: readonly Walk[], page: Page): Promise<number[]> {
  const found = walks.map((walk): { walk: Walk; ids: number[] } => ({ walk, ids: [] }));
  for (;;) {
    for (const { walk, ids } of found) {
      const part = await walk.next();
      ids.push(...part.value);
      if (part.done || ids.length >= page.limit) return ids.slice(0, page.limit);
    }
  }
}

type TermOf<Test extends SqlTerm['test']> = Extract<SqlTerm, { test: Test }>;

/** The term whose list is the unread messages, unless another term has a list that is rarer. */
export function unreadTerm({ terms = [] }: SqlQuery): TermOf<'unread'> | undefined {
  const others = terms.filter((term) => !term.negated);
  if (others.some(({ test }) => test === 'ids' || test === 'flagged')) return undefined;
  return others.find((term): term is TermOf<'unread'> => term.test === 'unread');
}

/**
 * The walks of a query without words. Their messages must also meet `more`.
 * @param growth of the walk through all messages
 */
export function walksOf(
  connection: Connection,
  query: SqlQuery,
  page: Page,
  { more = new Conditions(), growth = GROWTH.alone }: { more?: Conditions; growth?: number } = {},
): Walk[] {
  const unread = unreadTerm(query);
  const terms = query.terms ?? [];
  if (!unread) {
    const all = (part: Page) => idStatements(connection.dialect.name, query, part).all;
    return [walk(connection, all, more, page, { growth })];
  }
  const beside = { ...query, terms: terms.filter((term) => term !== unread) };
  const walks = [unreadWalk(connection, query, conditionsOf(beside).join(more), page)];
  const sender = terms.find((term): term is TermOf<'sender'> => term.test === 'sender' && !term.negated);
  if (sender) walks.unshift(walk(connection, (part) => sent(sender.id, part), conditionsOf(query).join(more), page));
  return walks;
}

/**
 * Tests the messages of `list`.
 * @param least messages in the first part
 * @param growth size of the next part, in parts
 */
export async function* walk(
  connection: Connection,
  list: (part: Page) => Statement,
  conditions: Conditions,
  page: Page,
  { least = FIRST_PART, growth = GROWTH.inTurns }: { least?: number; growth?: number } = {},
): Walk {
  let { from } = page;
  for (let most = Math.max(least, 2 * page.limit); ; most *= growth) {
    const near = list({ ...page, from, limit: most });
    const { examined, last, ids } = await findCandidates(connection, near, conditions, page);
    if (last === null || examined < most) return ids;
    yield ids;
    from = last;
  }
}

function sent(senderId: number, page: Page): Statement {
  const { comparison, order } = wordsOf(page);
  return {
    text: `SELECT s.id FROM messages s WHERE s.sender_id = ? AND s.id ${comparison} ? ORDER BY s.id ${order} LIMIT ?`,
    params: [senderId, page.from, page.limit],
  };
}

async function* unreadWalk(connection: Connection, query: SqlQuery, conditions: Conditions, page: Page): Walk {
  for await (const unread of unreadParts(connection, query, page)) {
    yield (await findCandidates(connection, someIds(unread, page), conditions, page)).ids;
  }
  return [];
}

const inWindow = {
  everywhere: unreadOf(ALL_SOURCES),
  listed: unreadOf(LISTED_SOURCES),
  channel: unreadOf(CHANNEL_SOURCES),
};
const marked = column<number>(`
  SELECT message_id FROM message_flags
  WHERE user_id = ? AND (bits & ${UNREAD_BIT}) <> 0 AND message_id >= ? AND message_id < ? LIMIT ?`);
/** The first and the last message of the rest of the list. */
const EDGES = `
  SELECT (SELECT MIN(id) FROM messages WHERE id >= ?) AS low, (SELECT MAX(id) FROM messages WHERE id < ?) AS high`;

const FIRST_WINDOW_MESSAGES = 500;

/** Unread messages from the start of the page on. Each part has those of a window, in no order. */
async function* unreadParts(connection: Connection, query: SqlQuery, page: Page): AsyncGenerator<number[], undefined> {
  const isUp = page.direction === 'after';
  const edges = await connection.get<{ low: number | null; high: number | null }>(EDGES, [
    ...(isUp ? [page.from + 1, Number.MAX_SAFE_INTEGER] : [0, page.from]),
  ]);
  const whole = { low: edges?.low ?? 0, high: (edges?.high ?? -1) + 1 };
  const most = Math.max(FIRST_WINDOW_MESSAGES, 2 * page.limit);
  yield* inWindows(whole, { isUp, most }, (window, most) => unreadWithin(connection, query, window, most));
}

/** Unread messages of a window, in no order. undefined if they are more than `most`. */
async function unreadWithin(
  connection: Connection,
  { viewer, channels, terms = [], ...places }: SqlQuery,
  { low, high }: Window,
  most: number,
): Promise<number[] | undefined> {
  const named = terms.find((term) => term.test === 'conversations' && !term.negated);
  const conversations = places.conversations ?? (named?.test === 'conversations' ? named.ids : undefined);
  const [channel, ...more] = channels ?? [];
  const isOneChannel = channel !== undefined && more.length === 0;
  const find = conversations ? inWindow.listed : isOneChannel ? inWindow.channel : inWindow.everywhere;
  const { ids } = await find(connection, conversations ?? channel ?? null, most + 1, viewer, low, high);
  if (ids.length > most) return undefined;
  const marks = await marked(connection, viewer, low, high, most + 1);
  return marks.length > most ? undefined : [...new Set([...ids, ...marks])];
}

/**
 * Tests the messages `near`, IDs in page order, until the page is full. The conditions refer to the IDs as the table
 * `near`. Returns the number of examined messages, the last of them in page order, and the matching messages, at most
 * the size of the page.
 */
async function findCandidates(connection: Connection, near: Statement, conditions: Conditions, page: Page) {
  const { order, furthest } = wordsOf(page);
  // SQLite keeps the order of `near`. With ORDER BY, it would test all messages.
  const sorting = connection.dialect.name === 'sqlite' ? '' : `ORDER BY near.id ${order}`;
  const text = `SELECT examined, last, ids FROM (
    WITH near AS MATERIALIZED (${near.text})
    SELECT (SELECT COUNT(*) FROM near) AS examined, (SELECT ${furthest}(near.id) FROM near) AS last, (
      SELECT ID_LIST(f.id) FROM (
        SELECT m.id FROM near LOOK_UP(messages m, near.id) WHERE ${conditions.text}
        ${sorting} LIMIT ?) AS f) AS ids) AS found`;
  const params = [...near.params, ...conditions.params, page.limit];
  type Found = { examined: number; last: number | null; ids: string | null };
  // Combinations of conditions are too many for the statement cache. PostgreSQL also plans a cached statement for
  // average words, and this one for the given words.
  const row = await connection.get<Found>(text, params, { once: true });
  return { examined: row?.examined ?? 0, last: row?.last ?? null, ids: readIds(row?.ids) };
}

/** These message IDs, in page order. */
function someIds(ids: readonly number[], page: Page): Statement {
  return {
    text: `SELECT p.a AS id FROM PAIRS(?) AS p ORDER BY p.a ${wordsOf(page).order}`,
    params: [JSON.stringify(ids.map((id) => [id, 0]))],
  };
}
