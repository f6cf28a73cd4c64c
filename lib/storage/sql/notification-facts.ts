import type { NotificationFacts } from '../../rules/notifications.ts';
import type { NotificationCandidate } from '../interface/notifications.ts';
import { FLAG_BITS, MENTIONED_BEFORE_BIT, READ, RECEIVED } from './read-rule.ts';
import { record } from './record.ts';

/** Parts of the statements that decide about notifications. The message is `m`, its conversation `c`, the user `u`. */

export const FACTS = record<NotificationFacts>({
  is_mentioned: 'boolean',
  is_mentioned_with_all: 'boolean',
  visibility_policy: 'integer',
  is_channel_muted: 'boolean',
  push_notifications: 'boolean',
  email_notifications: 'boolean',
  wildcard_mentions_notify: 'boolean',
});

export const CANDIDATE = FACTS.with<Omit<NotificationCandidate, keyof NotificationFacts>>({
  user_id: 'integer',
  connected_ms: 'integer',
  was_mentioned: 'boolean',
  has_phone: 'boolean',
  has_browser: 'boolean',
});

const hasFlag = (bit: number) => `CASE WHEN (COALESCE(f.bits, 0) & ${bit}) <> 0 THEN 1 ELSE 0 END`;

// Lookups by key: with a join, PostgreSQL without statistics would compare each user with all subscribers.
const ofSubscription = (column: string) =>
  `(SELECT s.${column} FROM subscriptions s WHERE s.user_id = u.id AND s.channel_id = c.channel_id AND s.active = 1)`;

export const FACT_COLUMNS = `${hasFlag(FLAG_BITS.mentioned)} AS is_mentioned,
    ${hasFlag(FLAG_BITS.wildcard_mentioned)} AS is_mentioned_with_all,
    COALESCE((SELECT t.visibility_policy FROM user_topics t
      WHERE t.user_id = u.id AND t.channel_id = c.channel_id AND t.topic_key = c.topic_key), 0) AS visibility_policy,
    COALESCE(${ofSubscription('is_muted')}, 0) AS is_channel_muted,
    ${ofSubscription('push_notifications')} AS push_notifications,
    ${ofSubscription('email_notifications')} AS email_notifications,
    ${ofSubscription('wildcard_mentions_notify')} AS wildcard_mentions_notify`;

export const CANDIDATE_COLUMNS = `${FACT_COLUMNS}, ${hasFlag(MENTIONED_BEFORE_BIT)} AS was_mentioned, p.connected_ms`;

export const FACT_TABLES = 'LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = u.id';

export const RECEIVES = `${RECEIVED.replaceAll('?', 'u.id')} AND NOT ${READ.replaceAll('?', 'u.id')}`;

export const MAY_BE_NOTIFIED = 'u.id <> m.sender_id AND u.is_active = 1 AND u.bot_type IS NULL';

/** Whether the user `u` has a phone that can get push notifications. */
export const HAS_PHONE = `(EXISTS (
        SELECT 1 FROM push_devices d WHERE d.user_id = u.id AND d.relay_device_id IS NOT NULL AND d.error_code IS NULL)
      OR EXISTS (SELECT 1 FROM push_tokens k WHERE k.user_id = u.id))`;

/** Whether a browser of the user gets push notifications. */
export const HAS_BROWSER = 'EXISTS (SELECT 1 FROM push_browsers n WHERE n.user_id = u.id)';
