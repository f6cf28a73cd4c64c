import { foldedContent as fold } from '../sql/word-index.ts';
import type { Filling } from './migration.ts';

/** Searching without regard to case in every script; null where lower case of the 26 letters says the same. */
export const foldedContent = `
ALTER TABLE messages ADD COLUMN folded_content TEXT;
`;

const BATCH = 500;

export const fillFoldedContent: Filling = {
  goesThrough: ['messages'],
  async some(connection, after) {
    const rows = await connection.all<{ id: number; content: string; newest: number }>(
      'SELECT id, content, (SELECT MAX(id) FROM messages) AS newest FROM messages WHERE id > ? ORDER BY id LIMIT ?',
      [after, BATCH],
    );
    const last = rows.at(-1);
    if (!last) return undefined;
    const folded = rows.map(({ id, content }) => [id, 0, fold(content)]).filter(([, , text]) => text !== null);
    if (folded.length > 0) {
      await connection.run(
        'UPDATE messages SET folded_content = filled.c FROM PAIRS(?) AS filled WHERE messages.id = filled.a',
        [JSON.stringify(folded)],
      );
    }
    return { to: last.id, total: last.newest };
  },
};
