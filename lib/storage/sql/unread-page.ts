import type { Connection } from './connection.ts';
import { conditionsOf, findCandidates, type Page, type SqlQuery, someIds, wordsOf } from './message-query.ts';
import { Conditions, type SqlTerm } from './message-terms.ts';
import { UNREAD_BIT } from './read-rule.ts';
import { column } from './store.ts';
import {
  ALL_SOURCES,
  CHANNEL_SOURCES,
  inWindows,
  LISTED_SOURCES,
  MAX_WINDOW_MESSAGES,
  unreadOf,
  type Window,
} from './unread-gaps.ts';

/**
 * A page of unread messages. The cost depends on the size of the response. The search starts where the page begins and
 * reads windows of message IDs. The unread messages in each are then compared with the other conditions.
 */

type UnreadTerm = Extract<SqlTerm, { test: 'unread' }>;
type SenderTerm = Extract<SqlTerm, { test: 'sender' }>;

const inWindow = {
  everywhere: unreadOf(ALL_SOURCES),
  listed: unreadOf(LISTED_SOURCES),
  channel: unreadOf(CHANNEL_SOURCES),
};
const marked = column<number>(`
  SELECT message_id FROM message_flags
  WHERE user_id = ? AND (bits & ${UNREAD_BIT}) <> 0 AND message_id >= ? AND message_id < ? LIMIT ?`);
/** The first or the last message there is in what is left. */
const EDGES = `
  SELECT (SELECT MIN(id) FROM messages WHERE id >= ?) AS low, (SELECT MAX(id) FROM messages WHERE id < ?) AS high`;

const FIRST_WINDOW_MESSAGES = 500;
/** Messages of a sender that are looked at first. */
const FIRST_MESSAGES_OF_SENDER = 64;

/**
 * Of a query, the term that only what is unread passes, where its windows are the way to it. They are not where
 * something else is rarer.
 */
export function unreadTerm({ terms = [] }: SqlQuery): UnreadTerm | undefined {
  const others = terms.filter((term) => !term.negated);
  if (others.some(({ test }) => test === 'ids' || test === 'flagged')) return undefined;
  return others.find((term): term is UnreadTerm => term.test === 'unread');
}

/** All that must hold of a message beside that it is unread. */
export function conditionsBesideUnread(query: SqlQuery): Conditions {
  return conditionsOf({ ...query, terms: (query.terms ?? []).filter((term) => term !== unreadTerm(query)) });
}

/**
 * The IDs nearest to the start of the page, in page order.
 * @param more conditions beside the query, which may refer to the table `near` of `findCandidates`
 */
export async function unreadPage(
  connection: Connection,
  query: SqlQuery,
  page: Page,
  more = new Conditions(),
): Promise<number[]> {
  if (query.conversations?.length === 0 || query.channels?.length === 0) return [];
  const sender = query.terms?.find((term): term is SenderTerm => term.test === 'sender' && !term.negated);
  if (sender) return unreadOfSender(connection, query, page, { sender, more });
  const conditions = conditionsBesideUnread(query).join(more);
  const found: number[] = [];
  for await (const unread of unreadParts(connection, query, page)) {
    const left = { ...page, limit: page.limit - found.length };
    const near = someIds(unread, page);
    found.push(...(await findCandidates(connection, { near, conditions }, left)).ids);
    if (found.length === page.limit) break;
  }
  return found;
}

/**
 * The sender may have written many messages that are read, and many messages of other users may be unread. It is not
 * known which list is shorter. So this reads parts of both lists in turn, until one list ends or fills the page.
 */
async function unreadOfSender(
  connection: Connection,
  query: SqlQuery,
  page: Page,
  { sender, more }: { sender: SenderTerm; more: Conditions },
): Promise<number[]> {
  const { comparison, order } = wordsOf(page);
  const text = `SELECT s.id FROM messages s WHERE s.sender_id = ? AND s.id ${comparison} ? ORDER BY s.id ${order} LIMIT ?`;
  const conditions = conditionsOf(query).join(more);
  const conditionsOfUnread = conditionsBesideUnread(query).join(more);
  const parts = unreadParts(connection, query, page);
  const ofSender: number[] = [];
  const ofUnread: number[] = [];
  let { from } = page;
  let most = Math.max(FIRST_MESSAGES_OF_SENDER, 2 * page.limit);
  for (; ; most = Math.min(MAX_WINDOW_MESSAGES, 4 * most)) {
    const near = { text, params: [sender.id, from, most] };
    const left = { ...page, limit: page.limit - ofSender.length };
    const { examined, last, ids } = await findCandidates(connection, { near, conditions }, left);
    ofSender.push(...ids);
    if (examined < most || ofSender.length === page.limit) return ofSender;
    from = last as number;
    const { value: unread, done } = await parts.next();
    if (done) return ofUnread;
    const rest = { ...page, limit: page.limit - ofUnread.length };
    const search = { near: someIds(unread, page), conditions: conditionsOfUnread };
    ofUnread.push(...(await findCandidates(connection, search, rest)).ids);
    if (ofUnread.length === page.limit) return ofUnread;
  }
}

/** What is unread from the page's beginning on, window by window; the ids of each are in no order. */
export async function* unreadParts(
  connection: Connection,
  query: SqlQuery,
  page: Page,
): AsyncGenerator<number[], undefined> {
  const isUp = page.direction === 'after';
  const edges = await connection.get<{ low: number | null; high: number | null }>(EDGES, [
    ...(isUp ? [page.from + 1, Number.MAX_SAFE_INTEGER] : [0, page.from]),
  ]);
  const whole = { low: edges?.low ?? 0, high: (edges?.high ?? -1) + 1 };
  const most = Math.max(FIRST_WINDOW_MESSAGES, 2 * page.limit);
  yield* inWindows(whole, { isUp, most }, (window, most) => unreadWithin(connection, query, window, most));
}

/** What is unread between two ids, in no order; undefined where it is more than so much. */
async function unreadWithin(
  connection: Connection,
  { viewer, channels, terms = [], ...places }: SqlQuery,
  { low, high }: Window,
  most: number,
): Promise<number[] | undefined> {
  const named = terms.find((term) => term.test === 'conversations' && !term.negated);
  const conversations = places.conversations ?? (named?.test === 'conversations' ? named.ids : undefined);
  const channel = channels?.length === 1 ? (channels[0] as number) : null;
  const find = conversations ? inWindow.listed : channel !== null ? inWindow.channel : inWindow.everywhere;
  const { ids } = await find(connection, conversations ?? channel, most + 1, viewer, low, high);
  if (ids.length > most) return undefined;
  const marks = await marked(connection, viewer, low, high, most + 1);
  return marks.length > most ? undefined : [...new Set([...ids, ...marks])];
}
