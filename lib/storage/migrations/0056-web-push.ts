/**
 * Browsers that get push notifications. `credentials` is a digest of what the account logs in with: when it changes,
 * the browser gets nothing more. The indexes find users who want push notifications of all messages of a channel.
 */
export const webPush = `
CREATE TABLE push_browsers (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  endpoint TEXT NOT NULL,
  public_key TEXT NOT NULL,
  auth_secret TEXT NOT NULL,
  credentials TEXT NOT NULL,
  login_id TEXT,
  rooms TEXT,
  ends_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX push_browsers_by_endpoint ON push_browsers (endpoint);
CREATE INDEX push_browsers_by_user ON push_browsers (user_id);

-- How often the keys for Web Push were replaced.
ALTER TABLE organization ADD COLUMN web_push_generation INTEGER NOT NULL DEFAULT 0;

CREATE INDEX subscriptions_pushed ON subscriptions (channel_id, user_id) WHERE push_notifications = 1 AND active = 1;
CREATE INDEX users_pushed_about_channels ON users (id)
  WHERE FIND(settings, '"enable_stream_push_notifications":true') > 0;
`;
