/** Exports that administrators make over the API. `file_key` is the place of the ZIP file, also of an incomplete one. */
export const dataExports = `
CREATE TABLE data_exports (
  id LOG_ID,
  acting_user_id INTEGER NOT NULL REFERENCES users (id),
  export_type INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  file_key TEXT UNIQUE,
  size INTEGER NOT NULL,
  finished_ms INTEGER,
  failed_ms INTEGER,
  deleted_ms INTEGER
) STRICT;
CREATE INDEX data_exports_by_time ON data_exports (created_ms);
`;
