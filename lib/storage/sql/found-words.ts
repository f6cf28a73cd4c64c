import { indexLookupOf, type Search, type SearchWord, withoutImplied } from '../../rules/search.ts';
import type { FoundWord } from '../interface/messages.ts';
import type { Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { type Condition, Conditions, LITERALLY } from './message-terms.ts';
import { indexTexts, KNOWN_OPENING } from './word-index.ts';

/** Words of one beginning that are asked for one by one; of more, the index gathers what they find. */
const MAX_KNOWN = 200;

/**
 * SQLite's index visits an ID of a range in 0.05 µs. A search for one message takes 20 µs for each word of the query.
 */
const IDS_PER_SEARCH = 400;

const KNOWN = `
  SELECT p.c AS opening, (SELECT json_group_array(k.word) FROM (
      SELECT word FROM known_words WHERE word >= p.c AND word < p.c || char(1114111) LIMIT ${MAX_KNOWN + 1}) AS k) AS words
  FROM PAIRS(?) AS p`;

/** Looks words up in a number of statements that does not follow them; the answer is in their order. */
export async function findWords(connection: Connection, words: readonly SearchWord[]): Promise<FoundWord[]> {
  const { name } = connection.dialect;
  const lookups = words.map(indexLookupOf);
  const ofTopics = lookups.map(({ exactly = [], all, opening }) =>
    all ? all.map(quoted[name]).join(AND[name]) : oneOf(name, exactly, opening),
  );
  const openings = name === 'sqlite' ? lookups.map(({ opening }) => opening) : [];
  const [known, topics] = await Promise.all([knownWords(connection, openings), topicsWith(connection, ofTopics)]);
  const queries = lookups.map(({ exactly = [], all, opening }) => {
    if (all) return { query: all.map(quoted[name]).join(AND[name]), isWalkable: true };
    const complete = opening === undefined ? [] : known.get(opening);
    if (complete) return { query: oneOf(name, withoutImplied([...exactly, ...complete])), isWalkable: true };
    return {
      query: oneOf(name, exactly, opening),
      isWalkable: name === 'postgres' || opening?.length === KNOWN_OPENING,
    };
  });
  return queries.map((found, at) => ({ ...found, topics: topics.get(at) ?? [], literal: lookups[at]?.literal }));
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

/** A query for any of the words. Each costs the index a look, so words with the opening are left to the opening. */
function oneOf(name: Dialect['name'], exactly: readonly string[], opening?: string): string {
  const others = exactly.filter((word) => opening === undefined || !word.startsWith(opening)).map(quoted[name]);
  return [...others, ...(opening === undefined ? [] : [opened[name](opening)])].join(OR[name]);
}

/** Words that begin so, for beginnings that have no index of their own and do not have too many of them. */
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
  return new Map(known.filter(([, words]) => words.length <= MAX_KNOWN));
}

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

/** Everything that all of these words are in. */
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
