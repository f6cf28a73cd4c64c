import { indexLookupOf, type Search, type SearchWord, withoutImplied } from '../../rules/search.ts';
import type { FoundWord } from '../interface/messages.ts';
import type { Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { type Condition, Conditions, LITERALLY } from './message-terms.ts';
import { indexTexts, KNOWN_OPENING } from './word-index.ts';

/** Words with one opening that are searched one by one. For more, the index collects all matches of the opening. */
const MAX_KNOWN_WORDS = 200;

/**
 * SQLite's index visits an ID of a range in 0.05 µs. A search for one message takes 20 µs for each word of the query.
 */
const IDS_PER_SEARCH = 400;

const KNOWN = `
  SELECT p.c AS opening, (SELECT json_group_array(k.word) FROM (
      SELECT word FROM known_words WHERE word >= p.c AND word < p.c || char(1114111)
      LIMIT ${MAX_KNOWN_WORDS + 1}) AS k) AS words
  FROM PAIRS(?) AS p`;

/** Looks up words in two statements, for any number of words. Returns them in the same order. */
export async function findWords(connection: Connection, words: readonly SearchWord[]): Promise<FoundWord[]> {
  const { name } = connection.dialect;
  const lookups = words.map(indexLookupOf);
  const openings = name === 'sqlite' ? lookups.map(({ opening }) => opening) : [];
  const inTopics = lookups.map((lookup) => queryOf(name, lookup));
  const [known, topics] = await Promise.all([knownWords(connection, openings), topicsWith(connection, inTopics)]);
  return lookups.map((lookup, at) => {
    const { opening, literal } = lookup;
    const complete = opening === undefined ? [] : known.get(opening);
    return {
      query: queryOf(name, lookup, complete),
      isWalkable: complete !== undefined || name === 'postgres' || opening?.length === KNOWN_OPENING,
      topics: topics.get(at) ?? [],
      literal,
    };
  });
}

type ByEngine<T> = Readonly<Record<Dialect['name'], T>>;
const AND: ByEngine<string> = { sqlite: ' AND ', postgres: ' & ' };
const OR: ByEngine<string> = { sqlite: ' OR ', postgres: ' | ' };
/** Words of the index are letters and digits. */
const quoted: ByEngine<(word: string) => string> = { sqlite: (word) => `"${word}"`, postgres: (word) => `'${word}'` };
const opened: ByEngine<(opening: string) => string> = {
  sqlite: (opening) => `"${opening}" *`,
  postgres: (opening) => `'${opening}':*`,
};

/** @param complete all words with the opening, instead of the opening */
function queryOf(
  name: Dialect['name'],
  { exactly = [], all, opening }: ReturnType<typeof indexLookupOf>,
  complete?: readonly string[],
): string {
  if (all) return all.map(quoted[name]).join(AND[name]);
  if (complete)
    return withoutImplied([...exactly, ...complete])
      .map(quoted[name])
      .join(OR[name]);
  if (opening === undefined) return exactly.map(quoted[name]).join(OR[name]);
  // Each word costs the index a lookup, and the opening finds those that begin with it.
  const others = exactly.filter((word) => !word.startsWith(opening));
  return [...others.map(quoted[name]), opened[name](opening)].join(OR[name]);
}

/** By opening, all words that begin with it. Only for openings that the index does not have and few words begin with. */
async function knownWords(
  connection: Connection,
  openings: readonly (string | undefined)[],
): Promise<Map<string, string[]>> {
  const long = openings.filter((opening) => opening !== undefined && opening.length > KNOWN_OPENING);
  if (long.length === 0) return new Map();
  const rows = await connection.all<{ opening: string; words: string }>(KNOWN, [
    JSON.stringify(long.map((opening) => [0, 0, opening])),
  ]);
  const known = rows.map(({ opening, words }): [string, string[]] => [opening, JSON.parse(words)]);
  return new Map(known.filter(([, words]) => words.length <= MAX_KNOWN_WORDS));
}

/** By position in `queries`, the conversations with a match in their topic. */
async function topicsWith(connection: Connection, queries: readonly string[]): Promise<Map<number, number[]>> {
  const { id, matches } = indexTexts(connection, 'topic_words');
  const rows = await connection.all<{ at: number; ids: string }>(
    `SELECT p.a AS at, ID_LIST(topic_words.${id}) AS ids FROM PAIRS(?) AS p CROSS JOIN topic_words
     WHERE ${matches.replace(/CAST\(\? AS (\w+)\)|\?/, (_, type?: string) => (type ? `CAST(p.c AS ${type})` : 'p.c'))}
     GROUP BY p.a`,
    [JSON.stringify(queries.map((query, at) => [at, 0, query]))],
  );
  return new Map(rows.map(({ at, ids }) => [at, JSON.parse(ids)]));
}

/** A query for messages with all of the words. */
export function together(connection: Connection, words: readonly FoundWord[]): string {
  return words.map(({ query }) => `(${query})`).join(AND[connection.dialect.name]);
}

/** Conditions that a message `m` of the table `near` has these words, in content or topic. */
export function wordConditions(connection: Connection, words: readonly FoundWord[]): Conditions {
  const all = new Conditions();
  const inContent = words.filter(({ topics }) => topics.length === 0);
  if (inContent.length > 0) all.add(...contentHas(connection, inContent));
  for (const word of words) {
    if (word.topics.length === 0) continue;
    const [text, ...params] = contentHas(connection, [word]);
    all.add(`(m.conversation_id IN_IDS(?) OR ${text})`, JSON.stringify(word.topics), ...params);
  }
  return all;
}

export function literalConditions(words: readonly FoundWord[], { phrases }: Pick<Search, 'phrases'>): Conditions {
  const all = new Conditions();
  for (const text of [...phrases, ...words.flatMap(({ literal }) => literal ?? [])]) all.add(LITERALLY, text, text);
  return all;
}

function contentHas(connection: Connection, words: readonly FoundWord[]): Condition {
  const query = together(connection, words);
  const { id, matches } = indexTexts(connection, 'message_words');
  if (connection.dialect.name === 'postgres') {
    // Not as EXISTS, which PostgreSQL makes a join. See `LOOK_UP` of the dialect.
    return [`(SELECT ${matches} FROM message_words WHERE message_words.${id} = m.id) IS TRUE`, query];
  }
  const edge = (nearest: string) => `(SELECT ${nearest}(near.id) FROM near)`;
  const inRange = `m.id IN (SELECT ${id} FROM message_words
    WHERE ${matches} AND ${id} BETWEEN ${edge('MIN')} AND ${edge('MAX')} AND +${id} IN (SELECT near.id FROM near))`;
  if (!words.every((word) => word.isWalkable)) return [inRange, query];
  const idsPerMessage = IDS_PER_SEARCH * (query.split('"').length >> 1);
  const areApart = `(SELECT MAX(near.id) - MIN(near.id) > ${idsPerMessage} * COUNT(*) FROM near)`;
  const isOne = `EXISTS (SELECT 1 FROM message_words WHERE ${matches} AND ${id} = m.id)`;
  return [`CASE WHEN ${areApart} THEN ${isOne} ELSE ${inRange} END`, query, query];
}
