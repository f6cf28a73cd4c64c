import type { Connection } from '../sql/connection.ts';
import { putWords } from '../sql/word-index.ts';
import type { Filling } from './migration.ts';

/**
 * All tables. Written once for both engines. The driver maps the types (`lib/storage/sql/dialect.ts`): ID is an identity
 * primary key, LOG_ID one whose values are never used twice, INTEGER a 64-bit integer. STRICT and STRICT_PAIRS (stored
 * in the order of the primary key) are for SQLite.
 */
export const baseline = `
-- readers_version rises with each change of muted users and alert words, push_version with each change of the devices
-- that can be notified. Both are 0 until the first change. required_schema: the newest migration that a process must
-- know to go on.
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
  settings TEXT NOT NULL,
  places_version INTEGER NOT NULL DEFAULT 1,
  required_schema INTEGER NOT NULL DEFAULT 0,
  readers_version INTEGER NOT NULL DEFAULT 0,
  push_version INTEGER NOT NULL DEFAULT 0
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
  version INTEGER NOT NULL,
  can_change_user_emails INTEGER NOT NULL DEFAULT 0,
  sign_in_unlocks INTEGER NOT NULL DEFAULT 0,
  profile_data TEXT NOT NULL DEFAULT '{}',
  name_key TEXT,
  bot_service TEXT,
  login_generation INTEGER NOT NULL DEFAULT 0,
  ended_logins TEXT,
  external_id TEXT
) STRICT;
CREATE INDEX users_by_version ON users (version);
CREATE INDEX users_by_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;
CREATE INDEX users_by_name ON users (name_key);
CREATE INDEX users_by_role ON users (role, id) WHERE is_active = 1 AND is_system_bot = 0;
CREATE INDEX users_inactive ON users (id) WHERE is_active = 0;
CREATE INDEX users_by_email_visibility ON users (email_visibility, id);
CREATE INDEX users_by_joining ON users (joined_ms);
CREATE INDEX users_that_are_bots ON users (id) WHERE bot_type IS NOT NULL;
CREATE UNIQUE INDEX users_by_external_id ON users (external_id);

CREATE TABLE user_groups (
  id ID,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  is_system_group INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  created_ms INTEGER,
  deactivated INTEGER NOT NULL,
  settings TEXT NOT NULL,
  external_id TEXT
) STRICT;
CREATE INDEX user_groups_beyond_ascii ON user_groups (id) WHERE octet_length(name) <> length(name);
CREATE INDEX user_groups_with_settings ON user_groups (id) WHERE settings <> '{}';
CREATE INDEX user_groups_by_creator ON user_groups (creator_id);
CREATE INDEX user_groups_of_people ON user_groups (id) WHERE is_system_group = 0;
CREATE INDEX user_groups_by_ascii_name ON user_groups (ASCII_LOWER(name));
CREATE UNIQUE INDEX user_groups_by_external_id ON user_groups (external_id);

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
  last_active_day INTEGER,
  subscriber_count INTEGER NOT NULL DEFAULT 0,
  external_id TEXT
) STRICT;
CREATE INDEX channels_with_settings ON channels (id) WHERE settings <> '{}';
CREATE INDEX channels_by_creator ON channels (creator_id);
CREATE INDEX channels_by_folder ON channels (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX channels_default ON channels (id) WHERE is_default = 1;
CREATE UNIQUE INDEX channels_by_external_id ON channels (external_id);

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

-- When a user was subscribed: decides which messages and events the user gets.
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
-- Finds former subscribers who received a message.
CREATE INDEX periods_ended ON subscription_periods (channel_id, to_message_id) WHERE to_message_id IS NOT NULL;
CREATE INDEX subscription_periods_by_channel ON subscription_periods (channel_id, user_id);

CREATE TABLE conversations (
  id ID,
  channel_id INTEGER REFERENCES channels (id),
  topic TEXT NOT NULL,
  topic_key TEXT,
  direct_key TEXT UNIQUE,
  moved_timestamp INTEGER,
  moved_up_to INTEGER,
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
  last_moved_timestamp INTEGER,
  folded_content TEXT
) STRICT;
CREATE INDEX messages_by_sender ON messages (sender_id, id);
CREATE INDEX messages_in_conversation ON messages (conversation_id, id, sender_id, read_by_sender);

-- Ranges of message IDs that the user has read in the conversation. Both ends are read.
CREATE TABLE read_ranges (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, conversation_id, from_id)
) STRICT_PAIRS;
CREATE INDEX read_ranges_floorless ON read_ranges (user_id, conversation_id) WHERE from_id < 0;

-- Only messages with a flag have a row. Bits: 1 starred, 2 collapsed, 4 mentioned, 8 wildcard_mentioned,
-- 16 has_alert_word, 32 unread although a range or the floor covers the message.
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
  body TEXT NOT NULL,
  type TEXT
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
  expires_ms INTEGER NOT NULL,
  holder TEXT
) STRICT_PAIRS;
CREATE INDEX event_queues_by_expiry ON event_queues (expires_ms);
CREATE INDEX event_queues_by_user ON event_queues (user_id);
CREATE INDEX event_queues_by_acked ON event_queues (acked_seq);

CREATE TABLE outbox (
  id ID,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  due_ms INTEGER,
  attempts INTEGER NOT NULL,
  last_error TEXT,
  created_ms INTEGER NOT NULL,
  given_up_ms INTEGER
) STRICT;
CREATE INDEX outbox_by_kind ON outbox (kind, due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX outbox_given_up ON outbox ((COALESCE(given_up_ms, created_ms)), id) WHERE due_ms IS NULL;

-- With message_id: an edit or move of one message. Without: a move of all messages of conversation_id up to
-- up_to_message_id. A row with part_of replaces such a move for its message.
CREATE TABLE edits (
  id LOG_ID,
  message_id INTEGER REFERENCES messages (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  prev_conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  up_to_message_id INTEGER,
  part_of INTEGER,
  editor_id INTEGER REFERENCES users (id),
  timestamp INTEGER NOT NULL,
  prev_content TEXT,
  prev_rendered_content TEXT,
  prev_topic TEXT,
  topic TEXT,
  prev_channel_id INTEGER,
  channel_id INTEGER
) STRICT;
CREATE INDEX edits_by_message ON edits (message_id, id) WHERE message_id IS NOT NULL;
CREATE INDEX edits_of_conversations ON edits (conversation_id, id) WHERE message_id IS NULL;
CREATE INDEX edits_into ON edits (conversation_id, id) WHERE conversation_id <> prev_conversation_id;
CREATE INDEX edits_out_of ON edits (prev_conversation_id, id) WHERE conversation_id <> prev_conversation_id;

CREATE TABLE reactions (
  id LOG_ID,
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  reaction_type TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  UNIQUE (message_id, user_id, reaction_type, emoji_code)
) STRICT;

CREATE TABLE custom_emoji (
  id ID,
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users (id),
  source_url TEXT NOT NULL,
  still_url TEXT,
  deactivated INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX custom_emoji_in_use ON custom_emoji (name) WHERE deactivated = 0;

CREATE TABLE emoji_images (
  file_name TEXT PRIMARY KEY,
  content_type TEXT NOT NULL,
  bytes BYTES NOT NULL
) STRICT;

CREATE TABLE linkifiers (
  id ID,
  pattern TEXT NOT NULL UNIQUE,
  url_template TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE playgrounds (
  id ID,
  name TEXT NOT NULL,
  pygments_language TEXT NOT NULL,
  url_template TEXT NOT NULL,
  UNIQUE (pygments_language, name)
) STRICT;

CREATE TABLE profile_fields (
  id LOG_ID,
  type INTEGER NOT NULL,
  name TEXT NOT NULL,
  hint TEXT NOT NULL,
  field_data TEXT NOT NULL,
  display_in_profile_summary INTEGER NOT NULL,
  required INTEGER NOT NULL,
  editable_by_user INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE avatar_images (
  file_name TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  bytes BYTES NOT NULL
) STRICT;
CREATE INDEX avatar_images_by_user ON avatar_images (user_id);

CREATE TABLE user_statuses (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id),
  status_text TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
) STRICT;

-- Messages of the muted user count as read: all of them while muted, and those up to until_message_id afterwards.
CREATE TABLE muted_users (
  user_id INTEGER NOT NULL REFERENCES users (id),
  muted_user_id INTEGER NOT NULL REFERENCES users (id),
  timestamp INTEGER NOT NULL,
  until_message_id INTEGER,
  PRIMARY KEY (user_id, muted_user_id)
) STRICT_PAIRS;
CREATE INDEX muted_users_by_muted ON muted_users (muted_user_id, user_id) WHERE until_message_id IS NULL;

-- word_key is the folded word. opening is the part of it by which texts are searched.
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
INSERT INTO message_retention (id, due_ms) VALUES (1, NULL);

CREATE TABLE presences (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  active_ms INTEGER,
  connected_ms INTEGER NOT NULL,
  update_id INTEGER NOT NULL
) STRICT;
CREATE INDEX presences_by_update ON presences (update_id);

CREATE TABLE presence_updates (
  id INTEGER PRIMARY KEY,
  update_id INTEGER NOT NULL
) STRICT;
INSERT INTO presence_updates (id, update_id) VALUES (1, 0);

CREATE TABLE user_topics (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  topic_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  visibility_policy INTEGER NOT NULL,
  last_updated INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, topic_key)
) STRICT_PAIRS;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, topic_key, user_id);

CREATE TABLE scheduled_messages (
  id LOG_ID,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER REFERENCES channels (id),
  recipient_ids TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  client TEXT NOT NULL,
  read_by_sender INTEGER NOT NULL,
  scheduled_delivery_timestamp INTEGER NOT NULL,
  due_ms INTEGER,
  failure TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX scheduled_messages_by_due ON scheduled_messages (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX scheduled_messages_by_sender ON scheduled_messages (sender_id, scheduled_delivery_timestamp, id);

-- The message may have been deleted since.
CREATE TABLE reminders (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  note TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  scheduled_delivery_timestamp INTEGER NOT NULL,
  due_ms INTEGER,
  failure TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_by_due ON reminders (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX reminders_by_user ON reminders (user_id, scheduled_delivery_timestamp, id);

-- IDs are never used again: another client may still hold the ID of a deleted draft.
CREATE TABLE drafts (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL,
  recipients TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  timestamp INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_user ON drafts (user_id);

CREATE TABLE saved_snippets (
  id LOG_ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  date_created INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);

CREATE TABLE navigation_views (
  user_id INTEGER NOT NULL REFERENCES users (id),
  fragment TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  name TEXT,
  PRIMARY KEY (user_id, fragment)
) STRICT_PAIRS;

-- The keys of all invitations of a call are derived from seed and their ID. Null: each invitation has its own seed.
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
  expires_ms INTEGER,
  seed TEXT
) STRICT;
CREATE INDEX invitation_offers_by_end ON invitation_offers (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX invitation_offers_by_inviter ON invitation_offers (invited_by_user_id);

-- Without an address: a link for many users. If the seed belongs to the offer, seed is empty and key_hash contains the
-- IDs of the offer and the invitation, which keeps the index small.
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
-- Contains all pending invitations, including links.
CREATE INDEX invitations_by_address ON invitations (email_key) WHERE ended IS NULL;
CREATE INDEX invitations_to_remind ON invitations (remind_ms) WHERE remind_ms IS NOT NULL;
CREATE INDEX invitations_by_end ON invitations (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX invitations_by_offer ON invitations (offer_id);

-- E-mails sent by each call of the last day.
CREATE TABLE invitations_sent (
  id ID,
  user_id INTEGER NOT NULL REFERENCES users (id),
  sent_ms INTEGER NOT NULL,
  invitations INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_sent_by_user ON invitations_sent (user_id, sent_ms);
CREATE INDEX invitations_sent_by_time ON invitations_sent (sent_ms);

-- account_state is a digest of password and address. Changing either of them invalidates the link.
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

-- Links that confirm an address. Used rows stay as long as they count for the limit of e-mails per address.
CREATE TABLE address_proofs (
  key_hash TEXT NOT NULL PRIMARY KEY,
  invitation_id INTEGER NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  is_mailed INTEGER NOT NULL,
  is_used INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX address_proofs_by_address ON address_proofs (email_key, created_ms);
CREATE INDEX address_proofs_by_age ON address_proofs (created_ms);

-- IDs are never used again: clients may still hold the ID of a deleted upload.
CREATE TABLE uploads (
  id LOG_ID,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  file_key TEXT NOT NULL UNIQUE,
  file_name TEXT NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  frames INTEGER,
  is_complete INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  collect_ms INTEGER
) STRICT;
CREATE INDEX uploads_by_owner ON uploads (owner_id, id);
CREATE INDEX uploads_to_collect ON uploads (collect_ms) WHERE collect_ms IS NOT NULL;

CREATE TABLE upload_space (
  used INTEGER NOT NULL
) STRICT;
INSERT INTO upload_space (used) VALUES (0);

CREATE TABLE message_attachments (
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (upload_id, message_id)
) STRICT_PAIRS;
CREATE INDEX message_attachments_by_message ON message_attachments (message_id);

CREATE TABLE resumable_uploads (
  upload_id INTEGER PRIMARY KEY REFERENCES uploads (id) ON DELETE CASCADE,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  size INTEGER NOT NULL,
  lease TEXT,
  lease_until_ms INTEGER NOT NULL,
  is_asked_for INTEGER NOT NULL
) STRICT;
CREATE INDEX resumable_uploads_by_owner ON resumable_uploads (owner_id);

-- A device can be registered in steps, which fill in the null columns.
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

-- Tokens of clients without encryption.
CREATE TABLE push_tokens (
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL,
  token TEXT NOT NULL,
  ios_app_id TEXT,
  PRIMARY KEY (user_id, kind, token)
) STRICT_PAIRS;

-- Notified users who have not read the message. Due some time after they read it, to withdraw the notification, or when
-- it is too old.
CREATE TABLE push_notices (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  is_withdrawn INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT_PAIRS;
CREATE INDEX push_notices_by_due ON push_notices (due_ms);
CREATE INDEX push_notices_by_message ON push_notices (message_id);

CREATE TABLE event_cursors (
  name TEXT NOT NULL PRIMARY KEY,
  position INTEGER NOT NULL,
  holder TEXT,
  lease_until_ms INTEGER NOT NULL
) STRICT_PAIRS;
CREATE INDEX event_cursors_by_position ON event_cursors (position);

-- One row. origin: the history that the log belongs to. lost_after and lost_to: positions that were lost when the log
-- continued from an older state, after a failover or a restore. New events come after them.
CREATE TABLE event_log (
  id INTEGER NOT NULL PRIMARY KEY,
  trimmed_to INTEGER NOT NULL,
  origin TEXT,
  lost_after INTEGER NOT NULL DEFAULT 0,
  lost_to INTEGER NOT NULL DEFAULT 0
) STRICT_PAIRS;
INSERT INTO event_log (id, trimmed_to) VALUES (1, 0);

-- Refusals are limited separately, so that strangers cannot displace entries of changes.
CREATE TABLE audit_log (
  id LOG_ID,
  at_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  user_id INTEGER,
  status INTEGER NOT NULL,
  code TEXT,
  details TEXT NOT NULL,
  client TEXT NOT NULL,
  network TEXT,
  request TEXT,
  times INTEGER NOT NULL,
  is_refusal INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_by_user ON audit_log (user_id, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_refusal ON audit_log (is_refusal, id);

CREATE TABLE bot_storage (
  user_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, key)
) STRICT;

CREATE TABLE bot_storage_sizes (
  user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id),
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT_PAIRS;

CREATE TABLE submessages (
  id LOG_ID,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX submessages_by_message ON submessages (message_id, id);

CREATE TABLE sent_deliveries (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  sent_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, id)
) STRICT_PAIRS;
CREATE INDEX sent_deliveries_by_time ON sent_deliveries (kind, sent_ms);

CREATE TABLE bot_notices (
  bot_id INTEGER NOT NULL PRIMARY KEY,
  sent_ms INTEGER NOT NULL
) STRICT_PAIRS;

CREATE TABLE idempotency_keys (
  user_id INTEGER NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, operation, key)
) STRICT_PAIRS;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_ms);

-- Words of messages and topics. Topics have an index of their own, since renaming one touches no message.
WORD_INDEX message_words;
WORD_LIST known_words;
WORD_INDEX topic_words;

VACUUMED_EARLY messages;
`;

const BATCH = 500;

/** Makes the search index, which backups do not contain: messages and topics together, in the order of their IDs. */
export const fillBaseline: Filling = {
  goesThrough: ['messages', 'conversations'],
  // Measured with messages of some hundred letters.
  perSecond: 10_000,
  bytesEach: 200,
  makes: ['message_words', 'known_words', 'topic_words'],
  async some(connection, after) {
    const messages = await textsAfter(connection, 'messages', 'content', after);
    const topics = await textsAfter(connection, 'conversations', 'topic', after);
    const ends = [messages, topics].map((rows) => rows.at(-1)?.id ?? 0);
    const to = Math.min(
      ...[messages, topics].map((rows, at) => (rows.length < BATCH ? Math.max(...ends) : (ends[at] as number))),
    );
    if (to === 0) return undefined;
    const upTo = (rows: readonly Text[]) =>
      rows.filter(({ id }) => id <= to).map(({ id, text }): [number, string] => [id, text]);
    await putWords(connection, 'message_words', upTo(messages));
    await putWords(connection, 'topic_words', upTo(topics));
    const newest = Math.max(...[messages, topics].map((rows) => rows.at(-1)?.newest ?? 0));
    return { to, total: Math.max(newest, to) };
  },
};

interface Text {
  id: number;
  text: string;
  newest: number;
}

async function textsAfter(connection: Connection, table: string, column: string, after: number): Promise<Text[]> {
  const text = `SELECT id, ${column} AS text, (SELECT MAX(id) FROM ${table}) AS newest FROM ${table}
    WHERE id > ? ORDER BY id LIMIT ?`;
  return connection.all<Text>(text, [after, BATCH]);
}
