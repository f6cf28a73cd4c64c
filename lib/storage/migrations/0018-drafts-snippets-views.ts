/** What people keep for themselves while they write, and the views in their sidebars. */
export const draftsSnippetsViews = `
-- IDs are never given twice: another client of the owner may still hold one that is gone.
CREATE TABLE drafts (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL,
  recipients TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  timestamp INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_user ON drafts (user_id);
CREATE TABLE saved_snippets (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  date_created INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);
CREATE TABLE navigation_views (
  user_id INTEGER NOT NULL REFERENCES users (id),
  fragment TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  name TEXT,
  PRIMARY KEY (user_id, fragment)
) STRICT_PAIRS;
`;
