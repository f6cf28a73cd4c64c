import type {
  Draft,
  DraftStore,
  NavigationView,
  NavigationViewStore,
  SavedSnippet,
  SavedSnippetStore,
} from '../interface/drafts.ts';
import { inOrder, SqlStore } from './connection.ts';
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

const DRAFTS_OF_USER = `SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? ORDER BY timestamp DESC, id DESC`;
const DRAFT_OF_USER = `SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? AND id = ?`;
const SIZE_OF_DRAFTS = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content) + LENGTH(recipients)), 0) AS characters
  FROM drafts WHERE user_id = ?`;
const OWN_DRAFT = NEW_DRAFT.with<{ user_id: number }>({ user_id: 'integer' });
const INSERT_DRAFTS = `${OWN_DRAFT.insertMany('drafts')} RETURNING id`;
const REMOVE_DRAFT = 'DELETE FROM drafts WHERE user_id = ? AND id = ?';
const REMOVE_ALL_DRAFTS = 'DELETE FROM drafts WHERE user_id = ?';

export class SqlDrafts extends SqlStore implements DraftStore {
  readonly of = this.statement.many(DRAFT, DRAFTS_OF_USER);
  readonly get = this.statement.one(DRAFT, DRAFT_OF_USER);
  readonly remove = this.statement.changes(REMOVE_DRAFT);
  readonly removeAll = this.statement.run(REMOVE_ALL_DRAFTS);

  async size(userId: number): Promise<{ count: number; characters: number }> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.get(SIZE_OF_DRAFTS, [userId])) ?? { count: 0, characters: 0 };
  }

  async add(userId: number, drafts: readonly Omit<Draft, 'id'>[]): Promise<number[]> {
    if (drafts.length === 0) return [];
    const rows = drafts.map((draft) => OWN_DRAFT.values({ ...draft, user_id: userId }));
    // Engines promise no order of what they return.
    return inOrder(await this.connection.column(INSERT_DRAFTS, [JSON.stringify(rows)]));
  }

  async update(userId: number, draft: Draft): Promise<boolean> {
    const { text, params } = NEW_DRAFT.assignments(draft);
    const statement = `UPDATE drafts SET ${text} WHERE user_id = ? AND id = ?`;
    return (await this.connection.run(statement, [...params, userId, draft.id])) > 0;
  }
}

const SNIPPET = record<SavedSnippet>({ id: 'integer', title: 'text', content: 'text', date_created: 'integer' });
const NEW_SNIPPET = SNIPPET.without('id');

const SNIPPETS_OF_USER = `SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`;
const SNIPPET_OF_USER = `SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? AND id = ?`;
const SIZE_OF_SNIPPETS = `
  SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(content)), 0) AS characters FROM saved_snippets WHERE user_id = ?`;
const INSERT_SNIPPET = `
  INSERT INTO saved_snippets (${NEW_SNIPPET.columns}, user_id) VALUES (${NEW_SNIPPET.places}, ?) RETURNING id`;
const REMOVE_SNIPPET = 'DELETE FROM saved_snippets WHERE user_id = ? AND id = ?';

export class SqlSavedSnippets extends SqlStore implements SavedSnippetStore {
  readonly of = this.statement.many(SNIPPET, SNIPPETS_OF_USER);
  readonly get = this.statement.one(SNIPPET, SNIPPET_OF_USER);
  readonly remove = this.statement.changes(REMOVE_SNIPPET);

  async size(userId: number): Promise<{ count: number; characters: number }> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.get(SIZE_OF_SNIPPETS, [userId])) ?? { count: 0, characters: 0 };
  }

  async add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number> {
    return this.connection.insert(INSERT_SNIPPET, [...NEW_SNIPPET.values(snippet), userId]);
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
}

const VIEW = record<NavigationView>({ fragment: 'text', is_pinned: 'boolean', name: 'text' });

const VIEWS_OF_USER = `SELECT ${VIEW.columns} FROM navigation_views WHERE user_id = ?`;
const SET_VIEW = `
  INSERT INTO navigation_views (${VIEW.columns}, user_id) VALUES (${VIEW.places}, ?)
  ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = excluded.is_pinned, name = excluded.name`;
const REMOVE_VIEW = 'DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?';

export class SqlNavigationViews extends SqlStore implements NavigationViewStore {
  readonly remove = this.statement.changes(REMOVE_VIEW);

  async of(userId: number, { toChange } = { toChange: false }): Promise<NavigationView[]> {
    if (toChange) await this.connection.concurrency?.serializeReader(userId);
    const views = await this.connection.many(VIEW, VIEWS_OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return views.sort((a, b) => (a.fragment < b.fragment ? -1 : 1));
  }

  async set(userId: number, view: NavigationView): Promise<void> {
    await this.connection.run(SET_VIEW, [...VIEW.values(view), userId]);
  }
}
