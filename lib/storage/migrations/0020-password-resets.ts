/** Links by which somebody gets another password, and where people signed in with the right one. */
export const passwordResets = `
-- The token itself is known to whoever has the link alone. account_state is a digest of the password and the address
-- that the account had: once it has others, the link leads nowhere.
CREATE TABLE password_resets (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  account_state TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  is_mailed INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX password_resets_by_user ON password_resets (user_id, created_ms);
CREATE TABLE sign_in_networks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT_PAIRS;
`;
