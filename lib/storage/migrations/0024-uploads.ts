/** Files that people upload, and which messages link to them. Their bytes are in a file store. */
export const uploads = `
-- IDs are never given twice: clients may still hold one that is gone.
CREATE TABLE uploads (
  id LOG_ID,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  file_key TEXT NOT NULL UNIQUE,
  file_name TEXT NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  frames INTEGER,
  is_complete INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  collect_ms INTEGER
) STRICT;
CREATE INDEX uploads_by_owner ON uploads (owner_id, id);
CREATE INDEX uploads_to_collect ON uploads (collect_ms) WHERE collect_ms IS NOT NULL;
CREATE TABLE upload_space (used INTEGER NOT NULL) STRICT;
INSERT INTO upload_space (used) VALUES (0);
CREATE TABLE message_attachments (
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (upload_id, message_id)
) STRICT_PAIRS;
CREATE INDEX message_attachments_by_message ON message_attachments (message_id);
`;
