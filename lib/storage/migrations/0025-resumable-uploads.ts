/** Files that arrive in several requests, and which of these may write at the moment. */
export const resumableUploads = `
CREATE TABLE resumable_uploads (
  upload_id INTEGER PRIMARY KEY REFERENCES uploads (id) ON DELETE CASCADE,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  size INTEGER NOT NULL,
  lease TEXT,
  lease_until_ms INTEGER NOT NULL,
  is_asked_for INTEGER NOT NULL
) STRICT;
CREATE INDEX resumable_uploads_by_owner ON resumable_uploads (owner_id);
`;
