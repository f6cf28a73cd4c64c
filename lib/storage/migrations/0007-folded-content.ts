import type { Connection } from '../sql/connection.ts';
import { foldedContent as fold } from '../sql/search-text.ts';

/** Searching without regard to case in every script; null where lower case of the 26 letters says the same. */
export const foldedContent = `
ALTER TABLE messages ADD COLUMN folded_content TEXT;
`;

const BATCH = 1_000;

export async function fillFoldedContent(connection: Connection): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await connection.all<{ id: number; content: string }>(
      'SELECT id, content FROM messages WHERE id > ? ORDER BY id LIMIT ?',
      [after, BATCH],
    );
    for (const { id, content } of rows) {
      const folded = fold(content);
      if (folded !== null) await connection.run('UPDATE messages SET folded_content = ? WHERE id = ?', [folded, id]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}
