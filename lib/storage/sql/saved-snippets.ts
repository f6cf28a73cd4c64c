import type { SavedSnippet, SavedSnippetStore } from '../interface/saved-snippets.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const SNIPPET = record<SavedSnippet>({ id: 'integer', title: 'text', content: 'text', date_created: 'integer' });
const NEW_SNIPPET = SNIPPET.without('id');

const OF_USER = `SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`;
const ONE = `SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? AND id = ?`;
const SIZE = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content)), 0) AS characters FROM saved_snippets WHERE user_id = ?`;
const INSERT = `
  INSERT INTO saved_snippets (${NEW_SNIPPET.columns}, user_id) VALUES (${NEW_SNIPPET.places}, ?) RETURNING id`;
const REMOVE = 'DELETE FROM saved_snippets WHERE user_id = ? AND id = ?';

export class SqlSavedSnippets extends SqlStore implements SavedSnippetStore {
  async of(userId: number): Promise<SavedSnippet[]> {
    return this.connection.many(SNIPPET, OF_USER, [userId]);
  }

  async get(userId: number, id: number): Promise<SavedSnippet | undefined> {
    return this.connection.one(SNIPPET, ONE, [userId, id]);
  }

  async size(userId: number): Promise<{ count: number; characters: number }> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.get(SIZE, [userId])) ?? { count: 0, characters: 0 };
  }

  async add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number> {
    return this.connection.insert(INSERT, [...NEW_SNIPPET.values(snippet), userId]);
  }

  async update(
    userId: number,
    id: number,
    patch: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
  ): Promise<SavedSnippet | undefined> {
    const { text, params } = NEW_SNIPPET.assignments(patch);
    if (text === '') return this.get(userId, id);
    const statement = `UPDATE saved_snippets SET ${text} WHERE user_id = ? AND id = ? RETURNING ${SNIPPET.columns}`;
    return this.connection.one(SNIPPET, statement, [...params, userId, id]);
  }

  async remove(userId: number, id: number): Promise<boolean> {
    return (await this.connection.run(REMOVE, [userId, id])) > 0;
  }
}
