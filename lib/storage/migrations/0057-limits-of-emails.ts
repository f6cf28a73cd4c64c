/**
 * E-mail notifications since the start of an hour: those to an account, and those about its messages. `digests` has how
 * far the weekly digest has come: users up to `after_user_id` are done; NULL: all.
 */
export const limitsOfEmails = `
CREATE TABLE email_counts (
  user_id INTEGER NOT NULL REFERENCES users (id),
  is_sender INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  emails INTEGER NOT NULL,
  PRIMARY KEY (user_id, is_sender)
) STRICT_PAIRS;

CREATE TABLE digests (
  due_ms INTEGER NOT NULL PRIMARY KEY,
  after_user_id INTEGER
) STRICT;
`;
