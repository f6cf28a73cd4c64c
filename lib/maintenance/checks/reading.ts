import { counted } from '../../base/counted.ts';
import { ADVICE, type Check, inWindows } from './check.ts';

const PEOPLE = { key: 'id', width: 500 };

/** Subscriptions and read state. */
export const readingChecks: readonly Check[] = [
  {
    name: 'read ranges',
    says: (n) => `${counted(n, 'range')} of read messages ${n === 1 ? 'is' : 'are'} empty, or overlap.`,
    advice: 'The read state of these users may be wrong. Marking the messages as read again corrects it.',
    run: inWindows(
      'users',
      `SELECT 'user ' || r.user_id || ', conversation ' || r.conversation_id || ', from ' || r.from_id AS example
       FROM read_ranges r WHERE r.user_id > ? AND r.user_id <= ? AND (r.to_id < r.from_id OR r.from_id < -1
         OR EXISTS (SELECT 1 FROM read_ranges n WHERE n.user_id = r.user_id AND n.conversation_id = r.conversation_id
           AND n.from_id > r.from_id AND n.from_id <= r.to_id))
       ORDER BY r.user_id, r.conversation_id, r.from_id`,
      PEOPLE,
    ),
  },
  {
    name: 'periods',
    says: (n) => `${counted(n, 'subscription period')} ${n === 1 ? 'has' : 'have'} an invalid end, or overlap.`,
    advice: ADVICE.restore,
    run: inWindows(
      'users',
      `SELECT 'user ' || p.user_id || ', channel ' || p.channel_id || ', after ' || p.after_seq AS example
       FROM subscription_periods p WHERE p.user_id > ? AND p.user_id <= ?
         AND (p.to_seq < p.after_seq OR p.to_message_id < p.after_message_id
           OR (p.to_seq IS NULL AND p.to_message_id IS NOT NULL) OR (p.to_seq IS NOT NULL AND p.to_message_id IS NULL)
           OR EXISTS (SELECT 1 FROM subscription_periods n WHERE n.user_id = p.user_id AND n.channel_id = p.channel_id
             AND n.after_seq > p.after_seq AND (p.to_seq IS NULL OR n.after_seq < p.to_seq)))
       ORDER BY p.user_id, p.channel_id, p.after_seq`,
      PEOPLE,
    ),
  },
  {
    name: 'subscriptions',
    says: (n) => `${counted(n, 'subscription does', 'subscriptions do')} not match the stored periods.`,
    advice: 'Unsubscribe these users from the channel and subscribe them again.',
    run: inWindows(
      'users',
      `SELECT 'user ' || s.user_id || ', channel ' || s.channel_id AS example FROM subscriptions s
       WHERE s.user_id > ? AND s.user_id <= ? AND s.active <> (SELECT COUNT(*) FROM subscription_periods p
         WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND p.to_seq IS NULL)
       ORDER BY s.user_id, s.channel_id`,
      PEOPLE,
    ),
  },
  {
    name: 'subscriber counts',
    says: (n) => `${counted(n, 'channel has', 'channels have')} a wrong subscriber count.`,
    advice: 'Only the displayed number is wrong. UPDATE channels SET subscriber_count to the actual number above.',
    run: inWindows(
      'channels',
      `SELECT 'channel ' || c.id || ', stored: ' || c.subscriber_count || ', actual: ' || c.n AS example FROM (
         SELECT ch.id, ch.subscriber_count, (SELECT COUNT(*) FROM subscriptions s JOIN users u ON u.id = s.user_id
           WHERE s.channel_id = ch.id AND s.active = 1 AND u.is_active = 1) AS n
         FROM channels ch WHERE ch.id > ? AND ch.id <= ?) AS c
       WHERE c.n <> c.subscriber_count ORDER BY c.id`,
      { width: 200 },
    ),
  },
  {
    name: 'flags',
    says: (n) => `${counted(n, 'message has', 'messages have')} unknown flags.`,
    advice: ADVICE.restore,
    run: inWindows(
      'messages',
      `SELECT 'message ' || f.message_id || ', user ' || f.user_id AS example FROM message_flags f
       WHERE f.message_id > ? AND f.message_id <= ? AND (f.bits < 0 OR f.bits > 511) ORDER BY f.message_id, f.user_id`,
    ),
  },
  {
    name: 'direct conversations',
    says: (n) => `${counted(n, 'conversation does', 'conversations do')} not match the stored participants.`,
    advice: ADVICE.restore,
    run: inWindows('conversations', {
      sqlite: contradicting(
        "(SELECT group_concat(user_id, ',') FROM (SELECT user_id FROM conversation_participants p WHERE p.conversation_id = c.id ORDER BY user_id))",
      ),
      postgres: contradicting(
        "(SELECT string_agg(CAST(p.user_id AS text), ',' ORDER BY p.user_id) FROM conversation_participants p WHERE p.conversation_id = c.id)",
      ),
    }),
  },
];

/** A topic without messages has no `topic_key`: its name may belong to another topic now. */
function contradicting(list: string): string {
  return `SELECT 'conversation ' || c.id AS example FROM conversations c WHERE c.id > ? AND c.id <= ?
    AND ((c.channel_id IS NULL AND (c.direct_key IS NULL OR c.direct_key <> COALESCE(${list}, '')))
      OR (c.channel_id IS NOT NULL AND (c.direct_key IS NOT NULL OR (c.topic_key IS NULL AND EXISTS (
        SELECT 1 FROM messages m WHERE m.conversation_id = c.id))))) ORDER BY c.id`;
}
