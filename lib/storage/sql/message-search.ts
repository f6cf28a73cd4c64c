import { findsNothing, joinSearches, matchesSearch, type Search } from '../../rules/search.ts';
import type { FoundWord, MessageQuery, MessageTerm } from '../interface/messages.ts';
import { type Connection, inOrder, readIds } from './connection.ts';
import { findWords, literalConditions, together, wordConditions } from './found-words.ts';
import {
  conditionsOf,
  findCandidates,
  idStatements,
  inPageOrder,
  type Page,
  type SqlQuery,
  type Statement,
  someIds,
  wordsOf,
} from './message-query.ts';
import type { Conditions } from './message-terms.ts';
import { conditionsBesideUnread, unreadPage, unreadParts, unreadTerm } from './unread-page.ts';
import { indexTexts } from './word-index.ts';

type SearchTerm = Extract<MessageTerm, { test: 'words' }>;

/** Looks up the words of searches before their queries. */
export function lookUp(connection: Connection, terms: readonly MessageTerm[]): Promise<readonly FoundWord[]> {
  return findWords(
    connection,
    searchesIn(terms).all.flatMap((search) => search.words),
  );
}

type FoundIds = { ids: number[]; bytes?: number | undefined };

/**
 * The IDs nearest to the start of the page, ascending, with the sum of `sizeOf` a message `m`, unless several
 * statements are needed.
 */
export async function fetchMeasured(
  connection: Connection,
  query: MessageQuery,
  page: Page,
  sizeOf?: string,
): Promise<FoundIds> {
  const { terms = [], words } = query;
  const others = terms.filter((term): term is Exclude<MessageTerm, SearchTerm> => term.test !== 'words');
  const plain = { ...query, terms: others };
  const { ids, bytes } =
    others.length === terms.length
      ? await plainIds(connection, plain, page, sizeOf)
      : { ids: await searchedIds(connection, plain, page, { terms, known: words }), bytes: undefined };
  return { ids: inOrder(ids), bytes };
}

async function plainIds(connection: Connection, query: SqlQuery, page: Page, sizeOf?: string): Promise<FoundIds> {
  if (unreadTerm(query)) return { ids: await unreadPage(connection, query, page) };
  const once = isPutTogether(query);
  const size = sizeOf === undefined ? 'NULL' : `SUM((SELECT ${sizeOf} FROM messages m WHERE m.id = w.id))`;
  let found: FoundIds = { ids: [], bytes: 0 };
  for (const { text, params } of idStatements(connection.dialect.name, query, page)) {
    // One value: many rows would cost several times as much as finding them.
    const list = `SELECT ID_LIST(w.id) AS ids, ${size} AS bytes FROM (${text}) AS w`;
    const row = await connection.get<{ ids: string | null; bytes: number | null }>(list, params, { once });
    found = { ids: readIds(row?.ids), bytes: row?.bytes ?? 0 };
    if (found.ids.length === page.limit) break;
  }
  return found;
}

/** Combinations of terms are too many for the statement cache. */
const isPutTogether = ({ terms = [] }: SqlQuery) => terms.length > 1;

interface FoundSearch {
  search: Search;
  words: readonly FoundWord[];
}

/** What terms look for: `all` begins with what is wanted together, and goes on with each search that is not. */
function searchesIn(terms: readonly MessageTerm[]): { wanted: Search[]; all: Search[] } {
  const searches = terms.filter((term): term is SearchTerm => term.test === 'words');
  const wanted = searches.filter(({ negated }) => !negated).map(({ search }) => search);
  const unwanted = searches.filter(({ search, negated }) => negated && !findsNothing(search));
  return { wanted, all: [joinSearches(wanted), ...unwanted.map(({ search }) => search)] };
}

async function searchedIds(
  connection: Connection,
  query: SqlQuery,
  page: Page,
  { terms, known }: { terms: readonly MessageTerm[]; known: readonly FoundWord[] | undefined },
): Promise<number[]> {
  const { wanted, all } = searchesIn(terms);
  if (wanted.some(findsNothing)) return [];
  const found = [...(known ?? (await lookUp(connection, terms)))];
  const [required, ...excluded] = all.map((search) => ({ search, words: found.splice(0, search.words.length) }));
  const search: WordSearch = {
    connection,
    query,
    page,
    required: required as FoundSearch,
    excluded,
    driving: [],
    checked: [],
  };
  if (wanted.length === 0) return alternatingIds(search);
  const driving = search.required.words.map((word) => ({ ...word, topics: [] }));
  const ids = new Set([...(await alternatingIds({ ...search, driving })), ...(await idsInTopics(search))]);
  return inPageOrder([...ids], page).slice(0, page.limit);
}

/** Messages in topics with at least one of the words. */
async function idsInTopics(search: WordSearch): Promise<number[]> {
  const { query, required } = search;
  const topics = [...new Set(required.words.flatMap((word) => word.topics))];
  if (topics.length === 0) return [];
  const inTopics = { ...query, terms: [...(query.terms ?? []), { test: 'conversations' as const, ids: topics }] };
  const driving = required.words.filter((word) => word.topics.length === 0);
  const ofTopics = required.words.filter((word) => word.topics.length > 0);
  // With only one word in topics, the topics are already selected by it.
  return alternatingIds({ ...search, query: inTopics, driving, checked: ofTopics.length > 1 ? ofTopics : [] });
}

interface WordSearch {
  connection: Connection;
  query: SqlQuery;
  page: Page;
  required: FoundSearch;
  excluded: readonly FoundSearch[];
  /** Words that must be in the content. The index finds messages by them. */
  driving: readonly FoundWord[];
  /** Further words that must be in content or topic. */
  checked: readonly FoundWord[];
}

/** First number of tested messages. Most searches end with them. */
const FIRST_CANDIDATES = 64;
/** Most messages whose text is read and compared. */
const MAX_COMPARED_MESSAGES = 1_024;

/**
 * A word may be frequent in places that the reader cannot see, or messages without it may be frequent where they can.
 * So the search alternates between matches of the index and messages of the query, with growing numbers. The cost
 * depends on the smaller of both.
 */
async function alternatingIds(search: WordSearch): Promise<number[]> {
  const { connection, query, page, driving } = search;
  if (query.conversations?.length === 0 || query.channels?.length === 0) return [];
  const few = Math.max(FIRST_CANDIDATES, 2 * page.limit);
  const isUnread = unreadTerm(query) !== undefined;
  if (isUnread && driving.length === 0) return unreadPage(connection, query, page, besides(search, [], 'near'));
  const first = isUnread || 2 * few > MAX_COMPARED_MESSAGES ? candidates(2 * few) : readCandidates(2 * few);
  const steps =
    driving.length === 0
      ? [first, candidates(32 * few), candidates(512 * few)]
      : driving.every((word) => word.isWalkable)
        ? [hits(few), first, hits(32 * few), candidates(16 * few)]
        : [first];
  for (const step of steps) {
    const found = await step(search);
    if (found) return found;
  }
  return driving.length === 0 ? ((await candidates(Number.MAX_SAFE_INTEGER)(search)) ?? []) : allHits(search);
}

/** undefined if the page is not full and there are more messages to test. */
type SearchStep = (search: WordSearch) => Promise<number[] | undefined>;

/** Tests at most `most` matches of the index. */
function hits(most: number): SearchStep {
  return (search) => {
    const { connection, query, page, driving } = search;
    const { id, matches } = indexTexts(connection, 'message_words');
    const { comparison, order } = wordsOf(page);
    const text = `SELECT message_words.${id} AS id FROM message_words
      WHERE ${matches} AND message_words.${id} ${comparison} CAST(? AS BIGINT)
      ORDER BY message_words.${id} ${order} LIMIT ?`;
    const near = { text, params: [together(connection, driving), page.from, most] };
    return testCandidates(search, near, most, conditionsOf(query).join(besides(search, [], 'near')));
  };
}

/** Tests at most `most` messages of the query without the words. */
function candidates(most: number): SearchStep {
  return async (search) => {
    const { connection, query, page, driving } = search;
    const words = besides(search, driving, 'near');
    if (unreadTerm(query)) {
      const near = someIds(await someUnread(search, most), page);
      return testCandidates(search, near, most, conditionsBesideUnread(query).join(words));
    }
    const near = idStatements(connection.dialect.name, query, { ...page, limit: most }).at(-1);
    return near ? testCandidates(search, near, most, words) : [];
  };
}

/** At most `most` unread messages nearest to the start of the page. */
async function someUnread({ connection, query, page }: WordSearch, most: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const unread of unreadParts(connection, query, page)) {
    ids.push(...unread);
    if (ids.length >= most) break;
  }
  return inPageOrder(ids, page).slice(0, most);
}

/** Reads and compares the texts, which is fastest for some hundred messages. */
function readCandidates(most: number): SearchStep {
  return async (search) => {
    const { connection, query, page, required, excluded } = search;
    const near = idStatements(connection.dialect.name, query, { ...page, limit: most }).at(-1);
    if (!near) return [];
    const rows = await connection.all<{ id: number; content: string; topic: string }>(
      `SELECT near.id, m.content, c.topic FROM (${near.text}) AS near
        CROSS JOIN messages m CROSS JOIN conversations c WHERE m.id = near.id AND c.id = m.conversation_id`,
      near.params,
      { once: isPutTogether(query) },
    );
    const hasRequired = !findsNothing(required.search);
    const ids = rows
      .filter(
        ({ content, topic }) =>
          (!hasRequired || matchesSearch(required.search, content, topic)) &&
          !excluded.some(({ search }) => matchesSearch(search, content, topic)),
      )
      .map(({ id }) => id);
    return ids.length >= page.limit || rows.length < most ? inPageOrder(ids, page).slice(0, page.limit) : undefined;
  };
}

/** Conditions in addition to the terms of the query and the words of the index search. */
function besides(
  { connection, required, excluded, checked }: WordSearch,
  driving: readonly FoundWord[],
  among?: string,
): Conditions {
  const all = wordConditions(connection, [...driving, ...checked], among);
  all.join(literalConditions(required.words, required.search));
  for (const { words, search } of excluded) {
    const { text, params } = wordConditions(connection, words, among).join(literalConditions(words, search));
    all.add(`NOT (${text})`, ...params);
  }
  return all;
}

/**
 * Combinations of terms are too many for the statement cache. PostgreSQL also plans a cached statement for average
 * words, but an uncached one for the given words.
 */
function isOnce({ connection, query, required, excluded, checked }: WordSearch): boolean {
  const { words } = required;
  const literal = required.search.phrases.length + words.filter((word) => word.literal !== undefined).length;
  const more = (query.terms?.length ?? 0) + literal + excluded.length + checked.length;
  return more > 1 || connection.dialect.name === 'postgres';
}

async function testCandidates(
  search: WordSearch,
  near: Statement,
  most: number,
  conditions: Conditions,
): Promise<number[] | undefined> {
  const { connection, page } = search;
  const { examined, ids } = await findCandidates(connection, { near, conditions, once: isOnce(search) }, page);
  return ids.length === page.limit || examined < most ? ids : undefined;
}

/** Goes through all matches of the index until the page is full. */
async function allHits(search: WordSearch): Promise<number[]> {
  const { connection, query, page, driving } = search;
  const { id, matches } = indexTexts(connection, 'message_words');
  const { comparison, order } = wordsOf(page);
  const conditions = conditionsOf(query).join(besides(search, []));
  const text = `SELECT ID_LIST(f.id) AS ids FROM (
    SELECT m.id FROM message_words LOOK_UP(messages m, message_words.${id})
    WHERE ${matches} AND message_words.${id} ${comparison} CAST(? AS BIGINT) AND ${conditions.text}
    ORDER BY message_words.${id} ${order} LIMIT ?) AS f`;
  const params = [together(connection, driving), page.from, ...conditions.params, page.limit];
  return connection.idList(text, params, { once: isOnce(search) });
}
