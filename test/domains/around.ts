import type pg from 'pg';
import type { Fixture } from '../world/fixture.ts';

/** The number of unrelated users, and of most other unrelated rows. */
export const AROUND = 8_000;
const CHANNELS = 3_000;
const GROUPS = 3_000;

/**
 * SQL that fills a schema of PostgreSQL with unrelated users and their data, and subscribes them all to the fixture's
 * channels. A call is about none of this data, or returns it.
 */
export async function surround(pool: pg.Pool, schema: string, fixture: Fixture): Promise<void> {
  const { channels, users } = fixture;
  const crowded = [channels.public, channels.shared, channels.protected, channels.webPublic];
  const each = `generate_series(1, ${AROUND}) AS n`;
  const now = 1_775_000_000_000;
  const s = Math.floor(now / 1000);
  const USER = 100_000;
  const CHANNEL = 100_000;
  const MESSAGE = 1_000_000;
  const TOPIC = 100_000;
  const statements = [
    `INSERT INTO users (id, delivery_email, email_key, full_name, name_key, role, is_active, is_system_bot, timezone, joined_ms,
       avatar_source, avatar_version, email_visibility, key_generation, settings, version)
     SELECT ${USER} + n, 'around' || n || '@example.com', 'around' || n || '@example.com', 'Around ' || n, 'around ' || n, 400,
       CASE WHEN n % 20 = 0 THEN 0 ELSE 1 END, 0, '', ${now}, 'G', 1, 1, 1, '{}', 1 FROM ${each}`,
    `INSERT INTO channels (id, name, name_key, description, rendered_description, creator_id, created_ms, invite_only,
       history_public_to_subscribers, is_web_public, is_archived, is_default, topics_policy, settings)
     SELECT ${CHANNEL} + n, 'Around ' || n, 'around ' || n, '', '', ${USER} + n, ${now}, CASE WHEN n % 10 = 0 THEN 1 ELSE 0 END,
       1, 0, 0, 0, 'inherit', '{}' FROM generate_series(1, ${CHANNELS}) AS n`,
    `INSERT INTO subscriptions (user_id, channel_id, active, color, is_muted, pin_to_top, floor)
     SELECT ${USER} + n, c, 1, '#c2c2c2', 0, 0, 0 FROM ${each}, unnest(ARRAY[${crowded.join()}]) AS c
     UNION ALL SELECT ${USER} + n, ${CHANNEL} + 1 + (n % ${CHANNELS}), 1, '#c2c2c2', 0, 0, 0 FROM ${each}`,
    `INSERT INTO subscription_periods (user_id, channel_id, after_message_id, after_seq)
     SELECT user_id, channel_id, 0, 0 FROM subscriptions WHERE user_id > ${USER}`,
    `INSERT INTO user_groups (id, name, description, is_system_group, creator_id, created_ms, deactivated, settings)
     SELECT ${USER} + n, 'around ' || n, '', 0, ${USER} + n, ${now}, 0, '{}' FROM generate_series(1, ${GROUPS}) AS n`,
    `INSERT INTO group_members (group_id, user_id) SELECT ${USER} + 1 + (n % ${GROUPS}), ${USER} + n FROM ${each}
     UNION SELECT ${USER} + 1, ${USER} + n FROM ${each}`,
    `INSERT INTO group_subgroups (group_id, subgroup_id)
     SELECT ${USER} + 1, ${USER} + n FROM generate_series(2, ${GROUPS}) AS n`,
    `INSERT INTO conversations (id, channel_id, topic, topic_key)
     SELECT ${TOPIC} + n, ${channels.public}, 'around ' || n, 'around ' || n FROM ${each}`,
    `INSERT INTO conversations (id, topic, direct_key)
     SELECT ${TOPIC} * 2 + n, '', (${USER} + n) || ',' || (${USER} + n + 1) FROM generate_series(1, ${AROUND} - 1) AS n`,
    `INSERT INTO conversation_participants (conversation_id, user_id)
     SELECT ${TOPIC} * 2 + n, ${USER} + n + more FROM generate_series(1, ${AROUND} - 1) AS n, generate_series(0, 1) AS more`,
    `INSERT INTO messages (id, conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
       read_by_sender, folded_content)
     SELECT ${MESSAGE} + n * 2 + kind, CASE kind WHEN 0 THEN ${TOPIC} + n ELSE ${TOPIC} * 2 + n END, ${USER} + n, 'around',
       '<p>around</p>', ${s}, 'website', 0, 1, 'around' FROM generate_series(1, ${AROUND} - 1) AS n, generate_series(0, 1) AS kind`,
    `INSERT INTO edits (message_id, conversation_id, prev_conversation_id, editor_id, timestamp, prev_content, prev_rendered_content)
     SELECT id, conversation_id, conversation_id, sender_id, ${s}, 'x', '<p>x</p>' FROM messages WHERE id > ${MESSAGE}`,
    `INSERT INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
     SELECT id, sender_id, 'unicode_emoji', '1f389', 'tada' FROM messages WHERE id > ${MESSAGE}`,
    `INSERT INTO submessages (message_id, sender_id, msg_type, content)
     SELECT id, sender_id, 'widget', '{}' FROM messages WHERE id > ${MESSAGE}`,
    `INSERT INTO message_flags (message_id, user_id, bits)
     SELECT id, sender_id, CASE WHEN id % 4 = 0 THEN 32 ELSE 2 END FROM messages WHERE id > ${MESSAGE}`,
    `INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
     SELECT sender_id, conversation_id, id, id FROM messages WHERE id > ${MESSAGE}`,
    `INSERT INTO user_topics (user_id, channel_id, topic_key, topic, visibility_policy, last_updated)
     SELECT ${USER} + n, ${channels.public}, 'around ' || n, 'around ' || n, 1, ${s} FROM ${each}`,
    `INSERT INTO muted_users (user_id, muted_user_id, timestamp)
     SELECT ${USER} + n, ${USER} + n + 1, ${s} FROM generate_series(1, ${AROUND} - 1) AS n`,
    `INSERT INTO alert_words (user_id, word_key, word, opening)
     SELECT ${USER} + n, 'around' || n, 'around' || n, 'arou' FROM ${each}`,
    `INSERT INTO drafts (user_id, type, recipients, topic, content, timestamp)
     SELECT ${USER} + n, 'stream', '[${channels.public}]', 'x', 'x', ${s} FROM ${each}`,
    `INSERT INTO reports (message_id, sender_id, reporter_id, report_type, description, content, timestamp, resolved_timestamp)
     SELECT ${MESSAGE} + n, ${USER} + n, ${USER} + n + 1, 'spam', '', 'x', ${s}, CASE n % 2 WHEN 0 THEN ${s} END
     FROM generate_series(1, ${AROUND} - 1) AS n`,
    `INSERT INTO saved_snippets (user_id, title, content, date_created) SELECT ${USER} + n, 'x', 'x', ${s} FROM ${each}`,
    `INSERT INTO bot_storage (user_id, key, value, bytes) SELECT ${USER} + n, 'x', 'x', 6 FROM ${each}`,
    `INSERT INTO bot_storage_sizes (user_id, entries, bytes) SELECT ${USER} + n, 1, 6 FROM ${each}`,
    `INSERT INTO navigation_views (user_id, fragment, is_pinned) SELECT ${USER} + n, 'inbox', 1 FROM ${each}`,
    `INSERT INTO scheduled_messages (sender_id, channel_id, recipient_ids, topic, content, rendered_content, client,
       read_by_sender, scheduled_delivery_timestamp, due_ms, revision)
     SELECT ${USER} + n, ${channels.public}, '[]', 'x', 'x', 'x', 'website', 1, ${s * 2}, ${now * 2}, 1 FROM ${each}`,
    `INSERT INTO reminders (user_id, message_id, note, content, rendered_content, scheduled_delivery_timestamp, due_ms, revision)
     SELECT ${USER} + n, ${MESSAGE} + n * 2, '', 'x', 'x', ${s * 2}, ${now * 2}, 1 FROM ${each}`,
    `INSERT INTO presences (user_id, active_ms, connected_ms, update_id) SELECT ${USER} + n, ${now}, ${now}, n FROM ${each}`,
    `INSERT INTO user_statuses (user_id, status_text, emoji_name, emoji_code, reaction_type) SELECT ${USER} + n, 'x', '', '', '' FROM ${each}`,
    `INSERT INTO events (created_ms, scope, channel_id, has_recipients, body)
     SELECT ${now}, 0, NULL, 1, '{"type":"heartbeat"}' FROM ${each}`,
    `INSERT INTO event_recipients (user_id, seq) SELECT ${USER} + 1, seq FROM events WHERE body LIKE '%heartbeat%'`,
    `INSERT INTO event_queues (id, user_id, client, narrow, all_public_streams, options, start_seq, acked_seq, last_used_ms,
       lifespan, expires_ms)
     SELECT 'around' || n, ${USER} + n, 'website', '[]', 0, '{}', 0, 0, ${now * 2}, 600, ${now * 2} FROM ${each}`,
    `INSERT INTO outbox (kind, payload, due_ms, attempts, created_ms)
     SELECT 'email', '{}', ${now * 2}, 0, ${now} FROM ${each}`,
    `INSERT INTO uploads (owner_id, file_key, file_name, name, content_type, size, is_complete, created_ms)
     SELECT ${USER} + n, 'around' || n, 'x', 'x', 'text/plain', 1, 1, ${now} FROM ${each}`,
    `INSERT INTO message_attachments (upload_id, message_id)
     SELECT id, ${MESSAGE} + (owner_id - ${USER}) * 2 FROM uploads WHERE file_key LIKE 'around%' AND owner_id < ${USER + AROUND}`,
    `INSERT INTO push_devices (user_id, push_account_id, token_kind, push_public_key, registration, relay_device_id)
     SELECT ${USER} + n, n, 'fcm', 'x', n, n FROM ${each}`,
    `INSERT INTO push_tokens (user_id, kind, token) SELECT ${USER} + n, 'fcm', 'x' FROM ${each}`,
    `INSERT INTO push_notices (user_id, message_id, due_ms, is_withdrawn) SELECT ${USER} + n, ${MESSAGE} + n * 2, ${now * 2}, 0 FROM ${each}`,
    `INSERT INTO invitation_offers (id, invited_by_user_id, invited_as, stream_ids, group_ids, include_realm_default_subscriptions,
       notify_referrer_on_join, created_ms, expires_ms, seed)
     SELECT ${USER} + n, ${USER} + n, 400, '[]', '[]', 0, 0, ${now}, ${now * 2}, NULL FROM ${each}`,
    `INSERT INTO invitations (offer_id, email, email_key, seed, key_hash)
     SELECT ${USER} + n, 'invited-around' || n || '@example.com', 'invited-around' || n || '@example.com', 'x' || n, 'x' || n FROM ${each}`,
    `INSERT INTO invitations_sent (user_id, sent_ms, invitations) SELECT ${USER} + n, ${now}, 1 FROM ${each}`,
    `INSERT INTO password_resets (token_hash, user_id, account_state, created_ms, is_mailed) SELECT 'x' || n, ${USER} + n, 'x', ${now}, 0 FROM ${each}`,
    `INSERT INTO address_proofs (key_hash, invitation_id, email, email_key, created_ms, is_mailed, is_used)
     SELECT 'x' || n, 0, 'proof' || n || '@example.com', 'proof' || n || '@example.com', ${now}, 0, 0 FROM ${each}`,
    `INSERT INTO sign_in_networks (user_id, network, last_ms) SELECT ${USER} + n, 'x', ${now} FROM ${each}`,
    `INSERT INTO avatar_images (file_name, user_id, bytes) SELECT 'around' || n, ${USER} + n, '\\x00' FROM ${each}`,
    `INSERT INTO custom_emoji (id, name, author_id, source_url, deactivated)
     SELECT ${USER} + n, 'around' || n, ${users.owner}, 'x', 0 FROM generate_series(1, 300) AS n`,
  ];
  await pool.query(['BEGIN', `SET LOCAL search_path TO ${schema}`, ...statements, 'ANALYZE', 'COMMIT'].join(';\n'));
}

/** The number of unrelated channels, former channels, users and topics of each busy user. */
export const OWN = 3_000;

/** SQL that gives some users many subscriptions, former subscriptions, topics and conversations of their own. */
export async function burden(
  pool: pg.Pool,
  schema: string,
  { channels }: Fixture,
  userIds: readonly number[],
): Promise<void> {
  const each = `unnest(ARRAY[${userIds.join()}]) AS u, generate_series(1, ${OWN}) AS n`;
  const now = 1_775_000_000_000;
  const s = Math.floor(now / 1000);
  const OTHER = 300_000;
  const statements = [
    `INSERT INTO users (id, delivery_email, email_key, full_name, name_key, role, is_active, is_system_bot, timezone, joined_ms,
       avatar_source, avatar_version, email_visibility, key_generation, settings, version)
     SELECT ${OTHER} + n, 'own' || n || '@example.com', 'own' || n || '@example.com', 'Own ' || n, 'own ' || n, 400, 1, 0, '', ${now},
       'G', 1, 1, 1, '{}', 1 FROM generate_series(1, ${OWN}) AS n`,
    `INSERT INTO channels (id, name, name_key, description, rendered_description, creator_id, created_ms, invite_only,
       history_public_to_subscribers, is_web_public, is_archived, is_default, topics_policy, settings)
     SELECT ${OTHER} + n, 'Own ' || n, 'own ' || n, '', '', ${OTHER} + 1, ${now}, 0, 1, 0, 0, 0, 'inherit', '{}'
     FROM generate_series(1, ${OWN} * 2) AS n`,
    `INSERT INTO subscriptions (user_id, channel_id, active, color, is_muted, pin_to_top, floor)
     SELECT u, ${OTHER} + n * 2 + kind, kind, '#c2c2c2', 0, 0, 0 FROM ${each}, generate_series(0, 1) AS kind
     WHERE n < ${OWN}`,
    `INSERT INTO subscription_periods (user_id, channel_id, after_message_id, after_seq, to_message_id, to_seq)
     SELECT user_id, channel_id, 0, 0, CASE active WHEN 0 THEN 1 END, CASE active WHEN 0 THEN 1 END FROM subscriptions
     WHERE channel_id > ${OTHER}`,
    `INSERT INTO conversations (id, topic, direct_key)
     SELECT ${OTHER} + u * ${OWN} + n, '', u || ',' || (${OTHER} + n) FROM ${each}`,
    `INSERT INTO conversation_participants (conversation_id, user_id)
     SELECT ${OTHER} + u * ${OWN} + n, person FROM ${each}, unnest(ARRAY[u, ${OTHER} + n]) AS person`,
    `INSERT INTO messages (id, conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
       read_by_sender, folded_content)
     SELECT ${OTHER * 10} + u * ${OWN} + n, ${OTHER} + u * ${OWN} + n, ${OTHER} + n, 'own', '<p>own</p>', ${s}, 'website', 0, 1, 'own'
     FROM ${each}`,
    `INSERT INTO user_topics (user_id, channel_id, topic_key, topic, visibility_policy, last_updated)
     SELECT u, ${channels.public}, 'own ' || n, 'own ' || n, 1, ${s} FROM ${each}`,
    `INSERT INTO muted_users (user_id, muted_user_id, timestamp) SELECT u, ${OTHER} + n, ${s} FROM ${each} WHERE n <= 500`,
  ];
  await pool.query(['BEGIN', `SET LOCAL search_path TO ${schema}`, ...statements, 'ANALYZE', 'COMMIT'].join(';\n'));
}
