import { findsNothing, joinSearches, type Search } from '../../rules/search.ts';
import type { FoundWord, MessageQuery, MessageTerm } from '../interface/messages.ts';
import { type Connection, inOrder, readIds } from './connection.ts';
import { findWords, literalConditions, together, wordConditions } from './found-words.ts';
import {
  conditionsOf,
  hasNoPlaces,
  idStatements,
  inPageOrder,
  type Page,
  type SqlQuery,
  wordsOf,
} from './message-query.ts';
import type { Conditions } from './message-terms.ts';
import { pageOf, unreadTerm, type Walk, walk, walksOf } from './message-walks.ts';
import { indexTexts } from './word-index.ts';

type SearchTerm = Extract<MessageTerm, { test: 'words' }>;

/** Looks up the words of searches before their queries. */
export function lookUp(connection: Connection, terms: readonly MessageTerm[]): Promise<readonly FoundWord[]> {
  const { required, excluded } = searchesIn(terms);
  return findWords(
    connection,
    [required, ...excluded].flatMap(({ words }) => words),
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
  if (hasNoPlaces(query)) return { ids: [], bytes: 0 };
  const { terms = [] } = query;
  const others = terms.filter((term): term is Exclude<MessageTerm, SearchTerm> => term.test !== 'words');
  const plain = { ...query, terms: others };
  if (others.length < terms.length) return { ids: inOrder(await searchedIds(connection, plain, page, terms)) };
  if (unreadTerm(plain)) return { ids: inOrder(await pageOf(walksOf(connection, plain, page), page)) };
  const { ids, bytes } = await plainIds(connection, plain, page, sizeOf);
  return { ids: inOrder(ids), bytes };
}

async function plainIds(connection: Connection, query: SqlQuery, page: Page, sizeOf?: string): Promise<FoundIds> {
  // Combinations of terms are too many for the statement cache.
  const once = (query.terms ?? []).length > 1;
  const size = sizeOf === undefined ? 'NULL' : `SUM((SELECT ${sizeOf} FROM messages m WHERE m.id = w.id))`;
  const { nearby, all } = idStatements(connection.dialect.name, query, page);
  let found: FoundIds = { ids: [], bytes: 0 };
  for (const { text, params } of nearby ? [nearby, all] : [all]) {
    // One value: many rows would cost several times as much as finding them.
    const list = `SELECT ID_LIST(w.id) AS ids, ${size} AS bytes FROM (${text}) AS w`;
    const row = await connection.get<{ ids: string | null; bytes: number | null }>(list, params, { once });
    found = { ids: readIds(row?.ids), bytes: row?.bytes ?? 0 };
    if (found.ids.length === page.limit) break;
  }
  return found;
}

/** What terms look for, and what they exclude. */
function searchesIn(terms: readonly MessageTerm[]) {
  const searches = terms.filter((term): term is SearchTerm => term.test === 'words');
  const wanted = searches.filter(({ negated }) => !negated).map(({ search }) => search);
  const excluded = searches.filter(({ negated }) => negated).map(({ search }) => search);
  return {
    required: joinSearches(wanted),
    excluded: excluded.filter((search) => !findsNothing(search)),
    findsNothing: wanted.some(findsNothing),
  };
}

async function searchedIds(
  connection: Connection,
  query: SqlQuery,
  page: Page,
  terms: readonly MessageTerm[],
): Promise<number[]> {
  const searches = searchesIn(terms);
  if (searches.findsNothing) return [];
  const found = [...(query.words ?? (await lookUp(connection, terms)))];
  const foundOf = (search: Search) => found.splice(0, search.words.length);
  const words = foundOf(searches.required);
  const more = literalConditions(words, searches.required);
  for (const search of searches.excluded) {
    const excluded = foundOf(search);
    const { text, params } = wordConditions(connection, excluded).join(literalConditions(excluded, search));
    more.add(`NOT (${text})`, ...params);
  }
  // All words are in the content, or the message is in a topic that has one of them.
  const inContent = { query, inContent: words.map((word) => ({ ...word, topics: [] })), anywhere: [], more };
  const topics = [...new Set(words.flatMap((word) => word.topics))];
  const inTopics = {
    query: { ...query, terms: [...(query.terms ?? []), { test: 'conversations' as const, ids: topics }] },
    inContent: words.filter((word) => word.topics.length === 0),
    anywhere: words.filter((word) => word.topics.length > 0),
    more,
  };
  const ids = new Set<number>();
  for (const search of topics.length > 0 ? [inContent, inTopics] : [inContent]) {
    for (const id of await pageOf(searchWalks(connection, search, page), page)) ids.add(id);
  }
  return inPageOrder([...ids], page).slice(0, page.limit);
}

interface WordSearch {
  query: SqlQuery;
  /** Words that must be in the content. The index lists messages by them. */
  inContent: readonly FoundWord[];
  /** Words that must be in content or topic. */
  anywhere: readonly FoundWord[];
  more: Conditions;
}

/** Matches of the index cost less than messages of a query, so their parts grow faster. */
const GROWTH = 8;

/** The index lists the messages with the words; the query lists messages that the reader may see. */
function searchWalks(connection: Connection, search: WordSearch, page: Page): Walk[] {
  const { query, inContent, anywhere, more } = search;
  const inPlaces = walksOf(connection, query, page, wordConditions(connection, [...inContent, ...anywhere]).join(more));
  if (inContent.length === 0) return inPlaces;
  const { id, matches } = indexTexts(connection, 'message_words');
  const list = (part: Page) => {
    const { comparison, order } = wordsOf(part);
    const text = `SELECT message_words.${id} AS id FROM message_words
      WHERE ${matches} AND message_words.${id} ${comparison} CAST(? AS BIGINT)
      ORDER BY message_words.${id} ${order} LIMIT ?`;
    return { text, params: [together(connection, inContent), part.from, part.limit] };
  };
  const conditions = conditionsOf(query).join(wordConditions(connection, anywhere)).join(more);
  const isWalkable = inContent.every((word) => word.isWalkable);
  if (isWalkable) return [walk(connection, list, conditions, page, { growth: GROWTH }), ...inPlaces];
  // The index collects all matches for any part of them, so it is read once, and only if the first part is not enough.
  return [...inPlaces, walk(connection, list, conditions, page, { least: Number.MAX_SAFE_INTEGER })];
}
