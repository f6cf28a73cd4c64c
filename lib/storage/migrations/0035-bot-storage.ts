/** What bots keep from one run to the next, and how much it is, so that a quota costs the same however much there is. */
export const botStorage = `
CREATE TABLE bot_storage (
  user_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT;
CREATE TABLE bot_storage_sizes (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id),
  entries INTEGER NOT NULL,
  characters INTEGER NOT NULL
) STRICT_PAIRS;
`;
