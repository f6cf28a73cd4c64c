/**
 * Written once for both engines; the driver maps the types (`lib/storage/sql/dialect.ts`):
 * ID is an identity primary key, LOG_ID one whose values are never used twice, INTEGER a 64-bit
 * integer; STRICT and STRICT_PAIRS (stored in the order of the primary key) are SQLite's.
 */
export const foundation = `
CREATE TABLE organization (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  users_version INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  host TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  secret TEXT NOT NULL,
  uuid TEXT NOT NULL,
  settings TEXT NOT NULL
) STRICT;

CREATE TABLE users (
  id ID,
  delivery_email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  role INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  bot_type INTEGER,
  bot_owner_id INTEGER REFERENCES users (id),
  is_system_bot INTEGER NOT NULL,
  timezone TEXT NOT NULL,
  joined_ms INTEGER NOT NULL,
  avatar_source TEXT NOT NULL,
  avatar_version INTEGER NOT NULL,
  email_visibility INTEGER NOT NULL,
  password_hash TEXT,
  key_generation INTEGER NOT NULL,
  settings TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX users_by_version ON users (version);
CREATE INDEX users_by_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

CREATE TABLE user_groups (
  id ID,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  is_system_group INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  created_ms INTEGER,
  deactivated INTEGER NOT NULL,
  settings TEXT NOT NULL
) STRICT;

CREATE TABLE group_members (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (group_id, user_id)
) STRICT_PAIRS;
CREATE INDEX group_members_by_user ON group_members (user_id);

CREATE TABLE group_subgroups (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  subgroup_id INTEGER NOT NULL REFERENCES user_groups (id),
  PRIMARY KEY (group_id, subgroup_id)
) STRICT_PAIRS;
CREATE INDEX group_subgroups_by_subgroup ON group_subgroups (subgroup_id);

CREATE TABLE channel_folders (
  id ID,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  rendered_description TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  created_ms INTEGER NOT NULL,
  position INTEGER NOT NULL,
  is_archived INTEGER NOT NULL
) STRICT;

CREATE TABLE channels (
  id ID,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  rendered_description TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  created_ms INTEGER NOT NULL,
  invite_only INTEGER NOT NULL,
  history_public_to_subscribers INTEGER NOT NULL,
  is_web_public INTEGER NOT NULL,
  is_archived INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  topics_policy TEXT NOT NULL,
  message_retention_days INTEGER,
  folder_id INTEGER REFERENCES channel_folders (id),
  settings TEXT NOT NULL,
  first_message_id INTEGER,
  last_active_day INTEGER
) STRICT;

CREATE TABLE subscriptions (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  active INTEGER NOT NULL,
  color TEXT NOT NULL,
  is_muted INTEGER NOT NULL,
  pin_to_top INTEGER NOT NULL,
  desktop_notifications INTEGER,
  audible_notifications INTEGER,
  push_notifications INTEGER,
  email_notifications INTEGER,
  wildcard_mentions_notify INTEGER,
  floor INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id)
) STRICT_PAIRS;
CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id, active, user_id);

-- When somebody was subscribed: which messages they received and which events they are owed.
CREATE TABLE subscription_periods (
  user_id INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  after_message_id INTEGER NOT NULL,
  to_message_id INTEGER,
  after_seq INTEGER NOT NULL,
  to_seq INTEGER,
  PRIMARY KEY (user_id, channel_id, after_seq),
  FOREIGN KEY (user_id, channel_id) REFERENCES subscriptions (user_id, channel_id)
) STRICT_PAIRS;

CREATE TABLE conversations (
  id ID,
  channel_id INTEGER REFERENCES channels (id),
  topic TEXT NOT NULL,
  topic_key TEXT,
  direct_key TEXT UNIQUE,
  UNIQUE (channel_id, topic_key)
) STRICT;

CREATE TABLE conversation_participants (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  PRIMARY KEY (user_id, conversation_id)
) STRICT_PAIRS;
CREATE INDEX participants_by_conversation ON conversation_participants (conversation_id, user_id);

CREATE TABLE messages (
  id LOG_ID,
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  sender_id INTEGER NOT NULL REFERENCES users (id),
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  client TEXT NOT NULL,
  is_me_message INTEGER NOT NULL,
  read_by_sender INTEGER NOT NULL,
  last_edit_timestamp INTEGER,
  last_moved_timestamp INTEGER
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
CREATE INDEX messages_by_sender ON messages (sender_id, id);

-- Closed ranges of message ids that the user has read in the conversation.
CREATE TABLE read_ranges (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, conversation_id, from_id)
) STRICT_PAIRS;

-- Exceptions only: bit 1 starred, 2 collapsed, 4 mentioned, 8 wildcard_mentioned, 16 has_alert_word, 32 unread in spite of ranges and floor.
CREATE TABLE message_flags (
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  bits INTEGER NOT NULL,
  PRIMARY KEY (message_id, user_id)
) STRICT_PAIRS;
CREATE INDEX message_flags_by_user ON message_flags (user_id, message_id);
CREATE INDEX message_flags_unread ON message_flags (user_id, message_id) WHERE (bits & 32) <> 0;

CREATE TABLE events (
  seq LOG_ID,
  created_ms INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  channel_id INTEGER,
  has_recipients INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE event_recipients (
  user_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (seq, user_id)
) STRICT_PAIRS;

CREATE TABLE event_queues (
  id TEXT PRIMARY KEY NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  client TEXT NOT NULL,
  event_types TEXT,
  narrow TEXT NOT NULL,
  all_public_streams INTEGER NOT NULL,
  options TEXT NOT NULL,
  start_seq INTEGER NOT NULL,
  acked_seq INTEGER NOT NULL,
  last_used_ms INTEGER NOT NULL,
  lifespan INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX event_queues_by_expiry ON event_queues (expires_ms);
CREATE INDEX event_queues_by_user ON event_queues (user_id);

CREATE TABLE outbox (
  id ID,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  due_ms INTEGER,
  attempts INTEGER NOT NULL,
  last_error TEXT,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_by_due ON outbox (due_ms) WHERE due_ms IS NOT NULL;
`;
