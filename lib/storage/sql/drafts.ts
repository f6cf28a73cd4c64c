import type {
  Draft,
  DraftStore,
  NavigationView,
  NavigationViewStore,
  SavedSnippet,
  SavedSnippetStore,
} from '../interface/drafts.ts';
import { record } from './record.ts';
import { changes, ids, locking, type Queries, run, size } from './store.ts';

const DRAFT = record<Draft>({
  id: 'integer',
  type: 'text',
  to: { column: 'recipients', read: (value) => JSON.parse(value as string) },
  topic: 'text',
  content: 'text',
  timestamp: 'integer',
});
const NEW_DRAFT = DRAFT.without('id');
const OWN_DRAFT = NEW_DRAFT.with<{ user_id: number }>({ user_id: 'integer' });
const insertDrafts = ids(`${OWN_DRAFT.insertMany('drafts')} RETURNING id`);

export const drafts: Queries<DraftStore> = {
  of: DRAFT.many(`SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? ORDER BY timestamp DESC, id DESC`),
  get: DRAFT.one(`SELECT ${DRAFT.columns} FROM drafts WHERE user_id = ? AND id = ?`),
  size: locking(size('LENGTH(content) + LENGTH(recipients)', 'drafts WHERE user_id = ?')),
  remove: changes('DELETE FROM drafts WHERE user_id = ? AND id = ?'),
  removeAll: run('DELETE FROM drafts WHERE user_id = ?'),
  add: (connection, user_id, drafts) =>
    insertDrafts(
      connection,
      drafts.map((draft) => OWN_DRAFT.values({ ...draft, user_id })),
    ),

  async update(connection, userId, draft) {
    const { text, params } = NEW_DRAFT.assignments(draft);
    const statement = `UPDATE drafts SET ${text} WHERE user_id = ? AND id = ?`;
    return (await connection.run(statement, [...params, userId, draft.id])) > 0;
  },
};

const SNIPPET = record<SavedSnippet>({ id: 'integer', title: 'text', content: 'text', date_created: 'integer' });
const NEW_SNIPPET = SNIPPET.without('id');
const INSERT_SNIPPET = `
  INSERT INTO saved_snippets (${NEW_SNIPPET.columns}, user_id) VALUES (${NEW_SNIPPET.places}, ?) RETURNING id`;

export const savedSnippets: Queries<SavedSnippetStore> = {
  of: SNIPPET.many(`SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? ORDER BY id`),
  get: SNIPPET.one(`SELECT ${SNIPPET.columns} FROM saved_snippets WHERE user_id = ? AND id = ?`),
  size: locking(size('LENGTH(content)', 'saved_snippets WHERE user_id = ?')),
  remove: changes('DELETE FROM saved_snippets WHERE user_id = ? AND id = ?'),
  add: async (connection, userId, snippet) =>
    connection.insert(INSERT_SNIPPET, [...NEW_SNIPPET.values(snippet), userId]),

  async update(connection, userId, id, patch) {
    const { text, params } = NEW_SNIPPET.assignments(patch);
    if (text === '') return savedSnippets.get(connection, userId, id);
    const statement = `UPDATE saved_snippets SET ${text} WHERE user_id = ? AND id = ? RETURNING ${SNIPPET.columns}`;
    return connection.one(SNIPPET, statement, [...params, userId, id]);
  },
};

const VIEW = record<NavigationView>({ fragment: 'text', is_pinned: 'boolean', name: 'text' });
const VIEWS_OF_USER = `SELECT ${VIEW.columns} FROM navigation_views WHERE user_id = ?`;
const SET_VIEW = `
  INSERT INTO navigation_views (${VIEW.columns}, user_id) VALUES (${VIEW.places}, ?)
  ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = excluded.is_pinned, name = excluded.name`;

export const navigationViews: Queries<NavigationViewStore> = {
  remove: changes('DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?'),

  async of(connection, userId, { toChange } = { toChange: false }) {
    if (toChange) await connection.concurrency?.serializeReader(userId);
    const views = await connection.many(VIEW, VIEWS_OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return views.sort((a, b) => (a.fragment < b.fragment ? -1 : 1));
  },

  async set(connection, userId, view) {
    await connection.run(SET_VIEW, [...VIEW.values(view), userId]);
  },
};
