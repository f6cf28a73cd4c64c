/**
 * What people say of themselves and ask for messages that reach them, and when messages are looked at that
 * may have expired.
 */
export const statusesMutesAlertWords = `
-- Rises with every change of muted users and alert words; 0 while nobody ever had any.
ALTER TABLE organization ADD COLUMN readers_version INTEGER NOT NULL DEFAULT 0;
CREATE TABLE user_statuses (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id),
  status_text TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
) STRICT;
-- What the muted user has written counts as read: up to a message once they are muted no more, all of it till then.
CREATE TABLE muted_users (
  user_id INTEGER NOT NULL REFERENCES users (id),
  muted_user_id INTEGER NOT NULL REFERENCES users (id),
  timestamp INTEGER NOT NULL,
  until_message_id INTEGER,
  PRIMARY KEY (user_id, muted_user_id)
) STRICT_PAIRS;
CREATE INDEX muted_users_by_muted ON muted_users (muted_user_id, user_id) WHERE until_message_id IS NULL;
-- word_key is the word without regard to case, opening the part of it that a text is searched for.
CREATE TABLE alert_words (
  user_id INTEGER NOT NULL REFERENCES users (id),
  word_key TEXT NOT NULL,
  word TEXT NOT NULL,
  opening TEXT NOT NULL,
  PRIMARY KEY (user_id, word_key)
) STRICT_PAIRS;
CREATE INDEX alert_words_by_opening ON alert_words (opening, word_key, user_id);
CREATE TABLE message_retention (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  due_ms INTEGER
) STRICT;
INSERT INTO message_retention (id, due_ms)
SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM channels WHERE message_retention_days > 0) THEN 0 END;
`;
