/**
 * Logical replication identifies rows by the primary key, and this was the only table without one. SQLite cannot add a
 * key to an existing table.
 */
export const uploadSpaceKey = `
CREATE TABLE keyed_upload_space (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  used INTEGER NOT NULL
) STRICT;
INSERT INTO keyed_upload_space (id, used) SELECT 1, COALESCE(MAX(used), 0) FROM upload_space;
DROP TABLE upload_space;
ALTER TABLE keyed_upload_space RENAME TO upload_space;
`;
