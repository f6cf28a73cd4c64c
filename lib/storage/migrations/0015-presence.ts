/** When each person was last there: one row each, whatever they report. */
export const presence = `
CREATE TABLE presences (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  active_ms INTEGER,
  connected_ms INTEGER NOT NULL,
  update_id INTEGER NOT NULL
) STRICT;
CREATE INDEX presences_by_update ON presences (update_id);
CREATE TABLE presence_updates (
  id INTEGER PRIMARY KEY,
  update_id INTEGER NOT NULL
) STRICT;
INSERT INTO presence_updates (id, update_id) VALUES (1, 0);
`;
