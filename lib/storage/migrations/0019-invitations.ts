/**
 * Invitations. What one call offered stands once, however many people it invited. Links are derived from the
 * seed and the organization's secret; the hash finds the invitation of a link.
 */
export const invitations = `
CREATE TABLE invitation_offers (
  id ID,
  invited_by_user_id INTEGER NOT NULL REFERENCES users (id),
  invited_as INTEGER NOT NULL,
  stream_ids TEXT NOT NULL,
  group_ids TEXT NOT NULL,
  include_realm_default_subscriptions INTEGER NOT NULL,
  notify_referrer_on_join INTEGER NOT NULL,
  welcome_message_custom_text TEXT,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER
) STRICT;
-- Without an address it is a link that many may use.
CREATE TABLE invitations (
  id LOG_ID,
  offer_id INTEGER NOT NULL REFERENCES invitation_offers (id),
  email TEXT,
  email_key TEXT,
  seed TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  ended TEXT CHECK (ended IN ('accepted', 'revoked')),
  ended_ms INTEGER,
  remind_ms INTEGER,
  email_state TEXT CHECK (email_state IN ('waiting', 'sent', 'failed')),
  email_error TEXT
) STRICT;
-- All that are pending are in it, links too.
CREATE INDEX invitations_by_address ON invitations (email_key) WHERE ended IS NULL;
CREATE INDEX invitations_to_remind ON invitations (remind_ms) WHERE remind_ms IS NOT NULL;
-- How many e-mails of invitations somebody had sent, a row for each call of the last day.
CREATE TABLE invitations_sent (
  id ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  sent_ms INTEGER NOT NULL,
  invitations INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_sent_by_user ON invitations_sent (user_id, sent_ms);
`;
