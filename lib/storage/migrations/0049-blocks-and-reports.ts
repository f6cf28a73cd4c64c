/** Blocked users are muted users with a mark. Reports keep the reported text, so they refer to no message. */
export const blocksAndReports = `
ALTER TABLE muted_users ADD COLUMN is_blocked INTEGER NOT NULL DEFAULT 0;

CREATE TABLE reports (
  id LOG_ID,
  message_id INTEGER NOT NULL,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  reporter_id INTEGER NOT NULL REFERENCES users (id),
  report_type TEXT NOT NULL,
  description TEXT NOT NULL,
  content TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  resolved_timestamp INTEGER,
  resolver_id INTEGER REFERENCES users (id),
  outcome TEXT
) STRICT;
CREATE INDEX reports_by_reporter ON reports (reporter_id, timestamp);
CREATE INDEX reports_of_message ON reports (message_id, reporter_id) WHERE resolved_timestamp IS NULL;
CREATE INDEX reports_open ON reports (id) WHERE resolved_timestamp IS NULL;
CREATE INDEX reports_resolved ON reports (id) WHERE resolved_timestamp IS NOT NULL;
`;
