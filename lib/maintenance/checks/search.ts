import { counted } from '../../base/counted.ts';
import { countOf } from '../../storage/maintenance/tables.ts';
import type { Connection } from '../../storage/sql/connection.ts';
import { wordsText } from '../../storage/sql/word-index.ts';
import { ADVICE, type Check, inWindows } from './check.ts';

/** Number of texts whose words are compared, spread evenly over the table. */
const SAMPLED_TEXTS = 2_000;

const kinds = [
  { table: 'messages', index: 'message_words', text: 'content', one: 'message', indexed: '1 = 1' },
  // A direct conversation has no topic.
  { table: 'conversations', index: 'topic_words', text: 'topic', one: 'topic', indexed: 't.channel_id IS NOT NULL' },
] as const;

/** Rows of one table that are missing in another. */
const absent = (there: string, here: string, one: string, condition = '1 = 1') =>
  `SELECT '${one} ' || t.id AS example FROM ${there} t
   WHERE t.id > ? AND t.id <= ? AND ${condition} AND NOT EXISTS (SELECT 1 FROM ${here} h WHERE h.id = t.id) ORDER BY t.id`;

/** The search index must contain all texts and nothing else. For a sample of texts, the words are compared. */
export const searchChecks: readonly Check[] = kinds.flatMap(({ table, index, text, one, indexed }): Check[] => {
  const rows = { sqlite: `${index}_docsize`, postgres: index };
  return [
    {
      name: `search for ${one}s`,
      says: (n) => `${counted(n, one)} cannot be found by search.`,
      advice: ADVICE.remake,
      run: inWindows(table, {
        sqlite: absent(table, rows.sqlite, one, indexed),
        postgres: absent(table, rows.postgres, one, indexed),
      }),
    },
    {
      name: `words of absent ${one}s`,
      says: (n) => `The search index contains ${counted(n, one)} that ${n === 1 ? 'does' : 'do'} not exist.`,
      advice: ADVICE.remake,
      run: (checked) =>
        inWindows(
          rows[checked.connection.dialect.name],
          absent(rows[checked.connection.dialect.name], table, one),
        )(checked),
    },
    {
      name: `words of ${one}s`,
      says: (n) => `In a sample of ${one}s, ${n.toLocaleString('en')} cannot be found by their words.`,
      advice: ADVICE.remake,
      async *run({ connection }) {
        for (const { id, text: content } of await sampled(connection, table, text)) {
          const words = wordsText(content);
          if (words !== '' && !(await isFound(connection, index, id, words))) yield `${one} ${id}`;
        }
      },
    },
  ];
});

async function sampled(connection: Connection, table: string, text: string): Promise<{ id: number; text: string }[]> {
  const count = await countOf(connection, table);
  return connection.all(
    `SELECT id, ${text} AS text FROM ${table} WHERE id % CAST(? AS BIGINT) = 0 ORDER BY id LIMIT ?`,
    [Math.ceil(count / SAMPLED_TEXTS) || 1, 2 * SAMPLED_TEXTS],
  );
}

async function isFound(connection: Connection, index: string, id: number, words: string): Promise<boolean> {
  if (connection.dialect.name === 'postgres') {
    const isSame = await connection.value(
      `SELECT words = array_to_tsvector(string_to_array(CAST(? AS text), ' ')) AS same FROM ${index} WHERE id = ?`,
      [words, id],
    );
    return isSame === 1;
  }
  const all = words
    .split(' ')
    .slice(0, 50)
    .map((word) => `"${word}"`);
  const found = await connection.get(`SELECT rowid FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`, [
    all.join(' AND '),
    id,
  ]);
  return found !== undefined;
}
