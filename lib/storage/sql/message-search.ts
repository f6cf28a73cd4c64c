import { findsNothing, joinSearches, type Search } from '../../rules/search.ts';
import type { MessageQuery, MessageTerm } from '../interface/message-query.ts';
import { Conditions } from './conditions.ts';
import type { Connection } from './connection.ts';
import { type FoundWord, findWords, literalConditions, together, wordConditions } from './found-words.ts';
import { conditionsOf, idStatements, type Page, type SqlQuery, wordsOf } from './message-query.ts';
import type { SqlTerm } from './message-terms.ts';
import { indexTexts } from './word-index.ts';

type SearchTerm = Extract<MessageTerm, { test: 'words' }>;

/** The ids nearest to the page's beginning, ascending. */
export async function fetchIds(connection: Connection, query: MessageQuery, page: Page): Promise<number[]> {
  const { terms = [], ...places } = query;
  const searches = terms.filter((term): term is SearchTerm => term.test === 'words');
  const others = terms.filter((term): term is Exclude<MessageTerm, SearchTerm> => term.test !== 'words');
  const ids =
    searches.length === 0
      ? await plainIds(connection, { ...places, terms: others }, page)
      : await searchedIds(connection, { ...places, terms: others }, searches, page);
  return ids.sort((one, other) => one - other);
}

async function plainIds(connection: Connection, query: SqlQuery, page: Page): Promise<number[]> {
  // People put terms together in more ways than a connection can keep statements for.
  const once = (query.terms?.length ?? 0) > 1;
  let ids: number[] = [];
  for (const { text, params } of idStatements(connection.dialect.name, query, page)) {
    // One value: as many rows would cost several times as much as finding them.
    const list = `SELECT ID_LIST(w.id) AS ids FROM (${text}) AS w`;
    const row = await connection.get<{ ids: string | null }>(list, params, { once });
    ids = JSON.parse(row?.ids ?? '[]');
    if (ids.length === page.limit) break;
  }
  return ids;
}

async function searchedIds(
  connection: Connection,
  query: SqlQuery,
  searches: readonly SearchTerm[],
  page: Page,
): Promise<number[]> {
  const wanted = searches.filter(({ negated }) => !negated).map(({ search }) => search);
  if (wanted.some(findsNothing)) return [];
  const unwanted = searches.filter(({ search, negated }) => negated && !findsNothing(search));
  const all = [joinSearches(wanted), ...unwanted.map(({ search }) => search)];
  const found = await findWords(
    connection,
    all.flatMap(({ words }) => words),
  );
  const [sought, ...excluded] = all.map((search) => ({ search, words: found.splice(0, search.words.length) }));
  const terms: SqlTerm[] = excluded.map(({ search, words }) =>
    searchTerm(wordConditions(connection, words).join(literalConditions(words, search)), { negated: true }),
  );
  const rest = { ...query, terms: [...(query.terms ?? []), ...terms] };
  if (!sought || wanted.length === 0) return plainIds(connection, rest, page);
  const ids = await idsInContent(connection, rest, sought, page);
  const more = await idsInTopics(connection, rest, sought, page);
  const { order } = wordsOf(page);
  const nearest = [...new Set([...ids, ...more])].sort((one, other) => (order === 'ASC' ? one - other : other - one));
  return nearest.slice(0, page.limit);
}

interface Sought {
  search: Search;
  words: readonly FoundWord[];
}

/** Messages that have all the words in their content. */
function idsInContent(connection: Connection, query: SqlQuery, { search, words }: Sought, page: Page) {
  const literal = literalConditions(words, search);
  const ofContent = words.map((word) => ({ ...word, topics: [] }));
  return idsInTurn(connection, query, page, {
    words,
    ofHits: literal,
    ofCandidates: wordConditions(connection, ofContent).join(literal),
  });
}

/** Messages of topics that have one of the words at least. */
async function idsInTopics(connection: Connection, query: SqlQuery, { search, words }: Sought, page: Page) {
  const topics = [...new Set(words.flatMap((word) => word.topics))];
  if (topics.length === 0) return [];
  const inTopics = { ...query, terms: [...(query.terms ?? []), { test: 'conversations' as const, ids: topics }] };
  const literal = literalConditions(words, search);
  const ofContent = words.filter((word) => word.topics.length === 0);
  const ofTopics = words.filter((word) => word.topics.length > 0);
  // Where one word alone is in topics, they have been chosen by it.
  const ofHits = (ofTopics.length > 1 ? wordConditions(connection, ofTopics) : new Conditions()).join(literal);
  if (ofContent.length > 0) {
    const ofCandidates = wordConditions(connection, ofContent).join(ofHits);
    return idsInTurn(connection, inTopics, page, { words: ofContent, ofHits, ofCandidates });
  }
  const terms = ofHits.texts.length > 0 ? [...inTopics.terms, searchTerm(ofHits)] : inTopics.terms;
  return plainIds(connection, { ...inTopics, terms }, page);
}

function searchTerm({ text, params }: Conditions, { negated = false } = {}): SqlTerm {
  return { test: 'search', condition: [`(${text})`, ...params], negated };
}

interface Turns {
  /** All of them in the content. */
  words: readonly FoundWord[];
  /** What must hold besides of what the index finds. */
  ofHits: Conditions;
  /** What must hold of whatever else the query has. */
  ofCandidates: Conditions;
}

/** Hits looked at first; what most searches end with. */
const FEW = 256;

/**
 * Words may be frequent where the reader cannot look, and so may be messages without them where the reader can.
 * Which it is shows when one looks: in turn at some of what the index finds, and at some of what the query has
 * without the words, each time at more. So the cost follows the smaller of the two.
 */
async function idsInTurn(connection: Connection, query: SqlQuery, page: Page, turns: Turns): Promise<number[]> {
  if (query.conversations?.length === 0 || query.channels?.length === 0) return [];
  const few = Math.max(FEW, 2 * page.limit);
  const isWalkable = turns.words.every((word) => word.isWalkable);
  const looks = isWalkable ? [hits(few), candidates(2 * few)] : [];
  for (const look of [...looks, hits(32 * few), candidates(16 * few)]) {
    const found = await look(connection, query, page, turns);
    if (found) return found;
  }
  return allHits(connection, query, page, turns);
}

type Look = (connection: Connection, query: SqlQuery, page: Page, turns: Turns) => Promise<number[] | undefined>;

/** Looks at so many of what the index finds; undefined when the page is not full and there are more. */
function hits(most: number): Look {
  return (connection, query, page, { words, ofHits }) => {
    const { id, matches } = indexTexts(connection, 'message_words');
    const { comparison, order } = wordsOf(page);
    const near = `SELECT message_words.${id} AS id FROM message_words
      WHERE ${matches} AND message_words.${id} ${comparison} CAST(? AS BIGINT)
      ORDER BY message_words.${id} ${order} LIMIT ?`;
    const params = [together(connection, words), page.from, most];
    return looked(connection, { text: near, params, most }, conditionsOf(query).join(ofHits), page);
  };
}

/** Looks at so many of what the query has without the words. */
function candidates(most: number): Look {
  return (connection, query, page, { ofCandidates }) => {
    const near = idStatements(connection.dialect.name, query, { ...page, limit: most }).at(-1);
    return near ? looked(connection, { ...near, most }, ofCandidates, page) : Promise.resolve([]);
  };
}

async function looked(
  connection: Connection,
  near: { text: string; params: (string | number | null | Buffer)[]; most: number },
  conditions: Conditions,
  page: Page,
): Promise<number[] | undefined> {
  const { order } = wordsOf(page);
  const text = `SELECT examined, ids FROM (
    WITH near AS MATERIALIZED (${near.text})
    SELECT (SELECT COUNT(*) FROM near) AS examined, (
      SELECT ID_LIST(f.id) FROM (
        SELECT m.id FROM near CROSS JOIN messages m WHERE m.id = near.id AND ${conditions.text}
        ORDER BY near.id ${order} LIMIT ?) AS f) AS ids) AS found`;
  const params = [...near.params, ...conditions.params, page.limit];
  const row = await connection.get<{ examined: number; ids: string | null }>(text, params, { once: true });
  const ids: number[] = JSON.parse(row?.ids ?? '[]');
  return ids.length === page.limit || (row?.examined ?? 0) < near.most ? ids : undefined;
}

/** Follows the index as far as it takes. */
async function allHits(connection: Connection, query: SqlQuery, page: Page, turns: Turns): Promise<number[]> {
  const { id, matches } = indexTexts(connection, 'message_words');
  const { comparison, order } = wordsOf(page);
  const conditions = conditionsOf(query).join(turns.ofHits);
  const text = `SELECT ID_LIST(f.id) AS ids FROM (
    SELECT m.id FROM message_words CROSS JOIN messages m
    WHERE ${matches} AND message_words.${id} ${comparison} CAST(? AS BIGINT)
      AND m.id = message_words.${id} AND ${conditions.text}
    ORDER BY message_words.${id} ${order} LIMIT ?) AS f`;
  const params = [together(connection, turns.words), page.from, ...conditions.params, page.limit];
  const row = await connection.get<{ ids: string | null }>(text, params, { once: true });
  return JSON.parse(row?.ids ?? '[]');
}
