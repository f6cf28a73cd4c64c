import { migrations } from '../../lib/storage/migrations/index.ts';
import { type Filling, type Migration, newestOf } from '../../lib/storage/migrations/migration.ts';

/** The number of the first future migration. */
export const NEXT = newestOf(migrations) + 1;

const BATCH = 500;

const copyContent: Filling = {
  goesThrough: ['messages'],
  async some(connection, after) {
    const newest = (await connection.value('SELECT MAX(id) FROM messages')) ?? 0;
    if (newest <= after) return undefined;
    const to = Math.min(newest, after + BATCH);
    await connection.run('UPDATE messages SET copied = content WHERE id > ? AND id <= ?', [after, to]);
    return { to, total: newest };
  },
};

/** Two migrations of a later version: one with a fill, and one without. */
export const later: readonly Migration[] = [
  ...migrations,
  { version: NEXT, name: 'copies', sql: 'ALTER TABLE messages ADD COLUMN copied TEXT;', fill: copyContent },
  { version: NEXT + 1, name: 'later', sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;' },
];
