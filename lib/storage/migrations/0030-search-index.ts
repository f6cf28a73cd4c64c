import type { Connection } from '../sql/connection.ts';
import { putWords } from '../sql/word-index.ts';
import type { Filling } from './migration.ts';

/** Words of messages and of topics. Topics have an index of their own, since renaming one touches no message. */
export const searchIndex = `
WORD_INDEX message_words;
WORD_LIST known_words;
WORD_INDEX topic_words;
`;

/** A process that does not know the index would add messages that nobody finds. */
export const isBreaking = true;

const BATCH = 500;

/** Messages and topics side by side, in the order of their ids. What a newer process has put in already is put in again. */
export const fillSearchIndex: Filling = {
  goesThrough: ['messages', 'conversations'],
  // Measured with messages of some hundred letters.
  perSecond: 10_000,
  bytesEach: 200,
  makes: ['message_words', 'known_words', 'topic_words'],
  async some(connection, after) {
    const messages = await textsAfter(connection, 'messages', 'content', after);
    const topics = await textsAfter(connection, 'conversations', 'topic', after);
    const ends = [messages, topics].map((rows) => rows.at(-1)?.id ?? 0);
    const to = Math.min(
      ...[messages, topics].map((rows, at) => (rows.length < BATCH ? Math.max(...ends) : (ends[at] as number))),
    );
    if (to === 0) return undefined;
    const upTo = (rows: readonly Text[]) =>
      rows.filter(({ id }) => id <= to).map(({ id, text }): [number, string] => [id, text]);
    await putWords(connection, 'message_words', upTo(messages));
    await putWords(connection, 'topic_words', upTo(topics));
    const newest = Math.max(...[messages, topics].map((rows) => rows.at(-1)?.newest ?? 0));
    return { to, total: Math.max(newest, to) };
  },
};

interface Text {
  id: number;
  text: string;
  newest: number;
}

async function textsAfter(connection: Connection, table: string, column: string, after: number): Promise<Text[]> {
  const text = `SELECT id, ${column} AS text, (SELECT MAX(id) FROM ${table}) AS newest FROM ${table}
    WHERE id > ? ORDER BY id LIMIT ?`;
  return connection.all<Text>(text, [after, BATCH]);
}
