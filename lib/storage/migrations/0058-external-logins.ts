/** Logins at identity providers. A subject is the ID of a person at its issuer, and never goes to another person. */
export const externalLogins = `
CREATE TABLE external_logins (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (issuer, subject)
) STRICT_PAIRS;
CREATE INDEX external_logins_by_user ON external_logins (user_id);
`;
