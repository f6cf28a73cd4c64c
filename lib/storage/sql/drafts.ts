import type { Draft, DraftStore } from '../interface/drafts.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const DRAFT = record<Draft>({
  id: 'integer',
  type: 'text',
  to: { column: 'recipients', read: (value) => JSON.parse(value as string) },
  topic: 'text',
  content: 'text',
  timestamp: 'integer',
});
const NEW_DRAFT = DRAFT.without('id');

const OF_USER = `SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? ORDER BY timestamp DESC, id DESC`;
const ONE = `SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? AND id = ?`;
const SIZE = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content) + LENGTH(recipients)), 0) AS characters
  FROM drafts WHERE user_id = ?`;
const COLUMNS = NEW_DRAFT.columns.split(', ');
/** One statement for any number of rows: a JSON list of lists of values. */
const INSERT = {
  sqlite: `
    INSERT INTO drafts (${NEW_DRAFT.columns}, user_id)
    SELECT ${COLUMNS.map((_, at) => `json_extract(value, '$[${at}]')`).join(', ')}, ?
    FROM json_each(?) WHERE true ORDER BY key RETURNING id`,
  postgres: `
    INSERT INTO drafts (${NEW_DRAFT.columns}, user_id)
    SELECT ${COLUMNS.map((column, at) => (column === 'timestamp' ? `CAST(value->>${at} AS bigint)` : `value->>${at}`)).join(', ')},
      CAST(? AS bigint)
    FROM json_array_elements(CAST(? AS json)) WITH ORDINALITY AS given (value, place) ORDER BY place
    RETURNING id`,
};
const UPDATE = `
  UPDATE drafts SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE user_id = ? AND id = ?`;
const REMOVE = 'DELETE FROM drafts WHERE user_id = ? AND id = ?';
const REMOVE_ALL = 'DELETE FROM drafts WHERE user_id = ?';

export class SqlDrafts extends SqlStore implements DraftStore {
  async of(userId: number): Promise<Draft[]> {
    return this.connection.many(DRAFT, OF_USER, [userId]);
  }

  async get(userId: number, id: number): Promise<Draft | undefined> {
    return this.connection.one(DRAFT, ONE, [userId, id]);
  }

  async size(userId: number): Promise<{ count: number; characters: number }> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.get(SIZE, [userId])) ?? { count: 0, characters: 0 };
  }

  async add(userId: number, drafts: readonly Omit<Draft, 'id'>[]): Promise<number[]> {
    if (drafts.length === 0) return [];
    const rows = drafts.map((draft) => NEW_DRAFT.values(draft));
    const { name } = this.connection.dialect;
    const added = await this.connection.all<{ id: number }>(INSERT[name], [userId, JSON.stringify(rows)]);
    // Engines promise no order of what they return.
    return added.map(({ id }) => id).sort((one, other) => one - other);
  }

  async update(userId: number, draft: Draft): Promise<boolean> {
    return (await this.connection.run(UPDATE, [...NEW_DRAFT.values(draft), userId, draft.id])) > 0;
  }

  async remove(userId: number, id: number): Promise<boolean> {
    return (await this.connection.run(REMOVE, [userId, id])) > 0;
  }

  async removeAll(userId: number): Promise<void> {
    await this.connection.run(REMOVE_ALL, [userId]);
  }
}
