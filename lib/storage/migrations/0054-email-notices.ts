/**
 * Messages that wait for the e-mails about them. A period collects the messages of one account and conversation. The indexes
 * find users who want e-mail about all messages of a channel.
 */
export const emailNotices = `
CREATE TABLE email_periods (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  PRIMARY KEY (user_id, conversation_id)
) STRICT_PAIRS;
CREATE INDEX email_periods_by_due ON email_periods (due_ms);

CREATE TABLE email_notices (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  group_id INTEGER,
  PRIMARY KEY (user_id, conversation_id, message_id)
) STRICT_PAIRS;

-- Addresses that a mail server has refused as unknown.
CREATE TABLE email_bounces (
  user_id INTEGER NOT NULL REFERENCES users (id),
  bounced_ms INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (user_id, bounced_ms)
) STRICT_PAIRS;

CREATE INDEX subscriptions_mailed ON subscriptions (channel_id, user_id) WHERE email_notifications = 1 AND active = 1;
CREATE INDEX users_mailed_about_channels ON users (id)
  WHERE FIND(settings, '"enable_stream_email_notifications":true') > 0;
`;
