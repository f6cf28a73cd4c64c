import { foldSearch } from '../../rules/fold.ts';
import { indexedWords } from '../../rules/search-words.ts';
import type { Connection } from './connection.ts';

/** The searchable content of a message `m`. */
export const FOLDED_CONTENT = 'COALESCE(m.folded_content, ASCII_LOWER(m.content))';

/** Folded content to store for searching. null if ASCII lower case gives the same result. */
export function foldedContent(content: string): string | null {
  const folded = foldSearch(content);
  const ascii = content.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folded === ascii ? null : folded;
}

/**
 * Length of the beginnings of words that SQLite's index finds, including the letter of their kind. Longer beginnings
 * are looked up in the table of known words.
 */
export const KNOWN_OPENING = 4;
/** Length of the shortest words that are kept as known, the letter of their kind included. */
const KNOWN_LENGTH = KNOWN_OPENING + 1;

type IndexName = 'message_words' | 'topic_words';

const SQLITE = (name: IndexName) => ({
  id: 'rowid',
  put: `INSERT OR REPLACE INTO ${name} (rowid, words) SELECT p.a, p.c FROM PAIRS(?) AS p`,
  matches: `${name} MATCH ?`,
});

const WORDS = (text: string) => `array_to_tsvector(string_to_array(${text}, ' '))`;
const POSTGRES = (name: IndexName) => ({
  id: 'id',
  put: `INSERT INTO ${name} (id, words) SELECT p.a, ${WORDS('p.c')} FROM PAIRS(?) AS p
    ON CONFLICT (id) DO UPDATE SET words = excluded.words`,
  matches: `${name}.words @@ CAST(? AS tsquery)`,
});

/**
 * The index of the words in messages and topics. The full text index of SQLite finds whole words and beginnings of
 * three letters. For longer beginnings, a second table keeps the words of all messages so far. PostgreSQL's index finds
 * beginnings of any length.
 */
export function indexTexts(connection: Connection, name: IndexName) {
  return connection.dialect.name === 'sqlite' ? SQLITE(name) : POSTGRES(name);
}

/** PostgreSQL adds a message and its words in one statement, which ends in `RETURNING` the id. */
export function withWords(insert: string): string {
  return `WITH added AS (${insert})
    INSERT INTO message_words (id, words) SELECT id, ${WORDS('CAST(? AS text)')} FROM added RETURNING id`;
}

/** The words as the index takes them: a text with blanks between them. */
export function wordsText(content: string): string {
  return [...indexedWords(content)].join(' ');
}

/** Adds the words of a new message on SQLite. */
export async function addWords(connection: Connection, id: number, content: string): Promise<void> {
  const words = indexedWords(content);
  await connection.run('INSERT INTO message_words (rowid, words) VALUES (?, ?)', [id, [...words].join(' ')]);
  await addKnownWords(connection, words);
}

/** Puts in the words of texts, in the place of those that the index may have of them. */
export async function putWords(
  connection: Connection,
  name: IndexName,
  texts: readonly (readonly [id: number, text: string])[],
): Promise<void> {
  if (texts.length === 0) return;
  const all = new Set<string>();
  const rows = texts.map(([id, text]) => {
    const words = indexedWords(text);
    for (const word of words) all.add(word);
    return [id, 0, [...words].join(' ')];
  });
  await connection.run(indexTexts(connection, name).put, [JSON.stringify(rows)]);
  if (name === 'message_words' && connection.dialect.name === 'sqlite') await addKnownWords(connection, all);
}

export async function removeWords(connection: Connection, messageIds: readonly number[]): Promise<void> {
  const { id } = indexTexts(connection, 'message_words');
  await connection.run(`DELETE FROM message_words WHERE ${id} IN_IDS(?)`, [JSON.stringify(messageIds)]);
}

const IS_UNUSED = `NOT EXISTS (SELECT 1 FROM message_words WHERE message_words MATCH '"' || k.word || '"')`;
const FIND_UNUSED = `
  SELECT k.word, CASE WHEN ${IS_UNUSED} THEN 1 ELSE 0 END AS is_unused FROM known_words k
  WHERE k.word > ? ORDER BY k.word LIMIT ?`;
const REMOVE_UNUSED = `
  DELETE FROM known_words AS k WHERE k.word IN (SELECT value FROM json_each(?)) AND ${IS_UNUSED}`;

/** Some of the known words on SQLite: the last, and those that no message has. */
export async function unusedWords(connection: Connection, after: string, limit: number) {
  const found = await connection.all<{ word: string; is_unused: number }>(FIND_UNUSED, [after, limit]);
  const last = found.at(-1)?.word;
  return last === undefined
    ? undefined
    : { last, unused: found.filter(({ is_unused }) => is_unused === 1).map(({ word }) => word) };
}

export async function removeKnownWords(connection: Connection, words: readonly string[]): Promise<void> {
  if ((await connection.run(REMOVE_UNUSED, [JSON.stringify(words)])) === 0) return;
  // Other processes compare this version before they rely on the words that they remember.
  await connection.run('UPDATE organization SET users_version = users_version + 1 WHERE id = 1', []);
}

/** Adds words to the table of known words on SQLite. */
async function addKnownWords(connection: Connection, words: ReadonlySet<string>): Promise<void> {
  const { keptWords } = connection;
  const isUnknown = (word: string) => word.length >= KNOWN_LENGTH && word.startsWith('w') && !keptWords?.has(word);
  const unknown = [...words].filter(isUnknown);
  if (unknown.length === 0) return;
  const list = JSON.stringify(unknown);
  await connection.run('INSERT OR IGNORE INTO known_words (word) SELECT value FROM json_each(?)', [list]);
  keptWords?.add(unknown);
}
