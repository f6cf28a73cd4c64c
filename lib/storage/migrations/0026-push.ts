/** Phones that are notified, and what they have been notified of. */
export const push = `
-- Rises with every change of whose devices can be notified; 0 while nobody's ever could.
ALTER TABLE organization ADD COLUMN push_version INTEGER NOT NULL DEFAULT 0;
-- What is null may be: a device that is registered in steps has no number of an account, and its key and its kind come
-- one after the other.
CREATE TABLE push_devices (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  push_account_id INTEGER,
  token_kind TEXT,
  push_public_key TEXT,
  registration INTEGER NOT NULL,
  relay_device_id INTEGER,
  error_code TEXT
) STRICT;
CREATE UNIQUE INDEX push_devices_by_account ON push_devices (user_id, push_account_id);
CREATE INDEX push_devices_by_relay_device ON push_devices (relay_device_id) WHERE relay_device_id IS NOT NULL;
CREATE INDEX push_devices_active ON push_devices (user_id) WHERE relay_device_id IS NOT NULL AND error_code IS NULL;
-- Of clients that do not encrypt.
CREATE TABLE push_tokens (
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL,
  token TEXT NOT NULL,
  ios_app_id TEXT,
  PRIMARY KEY (user_id, kind, token)
) STRICT_PAIRS;
-- Who has been notified of a message that they have not read. Falls due a while after they have, to be taken from their
-- phones, or when it is too old to matter.
CREATE TABLE push_notices (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  is_withdrawn INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT_PAIRS;
CREATE INDEX push_notices_by_due ON push_notices (due_ms);
CREATE INDEX push_notices_by_message ON push_notices (message_id);
`;
