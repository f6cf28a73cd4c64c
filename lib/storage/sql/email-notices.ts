import { groupBy } from '../../base/lists.ts';
import { foldTopic } from '../../rules/fold.ts';
import type { NotificationFacts } from '../../rules/notifications.ts';
import { FOLLOWED } from '../../rules/topics.ts';
import {
  type ByWays,
  type Digest,
  type EmailBatch,
  type EmailNoticeStore,
  MAX_EMAIL_NOTICES,
  SEVERAL_CONVERSATIONS,
  type StandingNotice,
} from '../interface/notifications.ts';
import {
  CANDIDATE,
  CANDIDATE_COLUMNS,
  FACT_COLUMNS,
  FACT_TABLES,
  FACTS,
  HAS_BROWSER,
  HAS_PHONE,
  MAY_BE_NOTIFIED,
  RECEIVES,
} from './notification-facts.ts';
import { ANY_MENTION } from './read-rule.ts';
import { announcing, column, ids, type Queries, row, rows, run, value } from './store.ts';

/** The columns and settings by which users want all messages of a channel. As in the indexes of migrations 54 and 56. */
const CHOICES = {
  email: { column: 'email_notifications', setting: 'enable_stream_email_notifications' },
  push: { column: 'push_notifications', setting: 'enable_stream_push_notifications' },
} as const;

type Choice = keyof typeof CHOICES;

/** Off by default, so only settings that turn it on are stored. */
const hasChosen = (choice: Choice, user: string) => `FIND(${user}.settings, '"${CHOICES[choice].setting}":true') > 0`;

/** With fewer such users, looks each of them up in the channel. With more, reads the subscribers of the channel. */
const FEW = 50;
// Ordered, so that PostgreSQL reads the index and not all users.
const areFew = (choice: Choice) => `(SELECT COUNT(*) FROM (
    SELECT x.id FROM users x WHERE ${hasChosen(choice, 'x')} ORDER BY x.id LIMIT ${FEW}) AS few) < ${FEW}`;

/** A page of a list: the first `?2` users after `?1`. */
const page = (from: string, user: string, limit = '?2') =>
  `SELECT * FROM (SELECT ${user} AS user_id FROM ${from} AND ${user} > ?1 ORDER BY ${user} LIMIT ${limit}) AS part`;

/** Subscribers of the channel `?3` who want all its messages, as pages. */
const choosers = (choice: Choice): string[] => [
  page(`subscriptions s WHERE s.channel_id = ?3 AND s.active = 1 AND s.${CHOICES[choice].column} = 1`, 's.user_id'),
  // One of the limits is 0. As conditions, SQLite would compare them for each subscriber.
  page(
    `users w CROSS JOIN subscriptions s
     WHERE ${hasChosen(choice, 'w')} AND s.user_id = w.id AND s.channel_id = ?3 AND s.active = 1`,
    'w.id',
    `CASE WHEN ${areFew(choice)} THEN ?2 ELSE 0 END`,
  ),
  page(
    `subscriptions s CROSS JOIN users w
     WHERE s.channel_id = ?3 AND s.active = 1 AND w.id = s.user_id AND ${hasChosen(choice, 'w')}`,
    's.user_id',
    `CASE WHEN ${areFew(choice)} THEN 0 ELSE ?2 END`,
  ),
];

const firstOf = (pages: readonly string[]) =>
  column<number>(`SELECT user_id FROM (${pages.join(' UNION ')}) AS found ORDER BY user_id LIMIT ?2`);

const FOLLOWERS = `user_topics t WHERE t.visibility_policy = ${FOLLOWED}`;

/**
 * Each kind of user by its own index: a message does not concern most of its recipients. Each part stops at the limit, so
 * a page costs the same for any number of users.
 */
const concerned = (choices: readonly Choice[]) =>
  firstOf([
    page(`${FOLLOWERS} AND t.channel_id = ?3 AND t.topic_key = ?4`, 't.user_id'),
    page('conversation_participants b WHERE b.conversation_id = ?5', 'b.user_id'),
    page(`message_flags g WHERE g.message_id = ?6 AND (g.bits & ${ANY_MENTION}) <> 0`, 'g.user_id'),
    ...choices.flatMap(choosers),
  ]);

/** Statements by whose settings count. */
const byChoices = <S>(make: (choices: readonly Choice[]) => S) => {
  const made = { email: make(['email']), push: make(['push']), both: make(['email', 'push']) };
  return ({ email, push }: ByWays) => made[email && push ? 'both' : push ? 'push' : 'email'];
};
const choosersBy = byChoices((choices) => firstOf(choices.flatMap(choosers)));
const concernedBy = byChoices(concerned);

const candidates = CANDIDATE.many(`
  SELECT u.id AS user_id, ${CANDIDATE_COLUMNS},
    CASE WHEN ${HAS_PHONE} THEN 1 ELSE 0 END AS has_phone, CASE WHEN ${HAS_BROWSER} THEN 1 ELSE 0 END AS has_browser
  FROM messages m JOIN conversations c ON c.id = m.conversation_id JOIN users u ON u.id IN_IDS(?2) ${FACT_TABLES}
  LEFT JOIN presences p ON p.user_id = u.id
  WHERE m.id = ?1 AND ${MAY_BE_NOTIFIED} AND ${RECEIVES} AND (?3 = 0 OR ${HAS_PHONE} OR ${HAS_BROWSER})
  ORDER BY u.id`);

// A conflict locks the period, so that no other process takes it before the messages are stored. An edited message may
// be in it already.
const openPeriods = rows<{ user_id: number; messages: number }>(`
  INSERT INTO email_periods (user_id, conversation_id, due_ms, messages)
  SELECT NUMBER(0), CAST(?1 AS BIGINT), NUMBER(1), 1 FROM ROWS(?2) WHERE true ORDER BY key
  ON CONFLICT (user_id, conversation_id) DO UPDATE SET messages = email_periods.messages + CASE WHEN EXISTS (
    SELECT 1 FROM email_notices n WHERE n.user_id = email_periods.user_id
      AND n.conversation_id = email_periods.conversation_id AND n.message_id = ?3) THEN 0 ELSE 1 END
  RETURNING user_id, messages`);
const addNotices = run(`
  INSERT INTO email_notices (user_id, conversation_id, message_id, group_id)
  SELECT NUMBER(0), CAST(?1 AS BIGINT), NUMBER(1), NUMBER(2) FROM ROWS(?2) WHERE true ORDER BY key
  ON CONFLICT (user_id, conversation_id, message_id) DO NOTHING`);

const takePeriods = rows<{ user_id: number; conversation_id: number; messages: number }>(`
  WITH taken AS MATERIALIZED (
    SELECT user_id, conversation_id FROM email_periods WHERE due_ms <= ? ORDER BY due_ms LIMIT ? SKIP_LOCKED)
  DELETE FROM email_periods WHERE (user_id, conversation_id) IN (SELECT user_id, conversation_id FROM taken)
  RETURNING user_id, conversation_id, messages`);
interface TakenNotice {
  user_id: number;
  conversation_id: number;
  message_id: number;
  group_id: number | null;
  sender_id: number | null;
}

const takeNotices = rows<TakenNotice>(`
  DELETE FROM email_notices WHERE (user_id, conversation_id) IN (SELECT p.a, p.b FROM PAIRS(?) p)
  RETURNING user_id, conversation_id, message_id, group_id,
    (SELECT m.sender_id FROM messages m WHERE m.id = email_notices.message_id) AS sender_id`);

// Sorted, so that two processes lock the rows in the same order.
const addCounts = rows<{ user_id: number; is_sender: number; emails: number; since_ms: number }>(`
  INSERT INTO email_counts (user_id, is_sender, since_ms, emails)
  SELECT NUMBER(0), NUMBER(1), CAST(?2 AS BIGINT), NUMBER(2) FROM ROWS(?1) WHERE true ORDER BY key
  ON CONFLICT (user_id, is_sender) DO UPDATE SET
    emails = excluded.emails + CASE WHEN email_counts.since_ms > ?3 THEN email_counts.emails ELSE 0 END,
    since_ms = CASE WHEN email_counts.since_ms > ?3 THEN email_counts.since_ms ELSE excluded.since_ms END
  RETURNING user_id, is_sender, emails, since_ms`);

const extendPeriods = rows<{ user_id: number; messages: number }>(`
  INSERT INTO email_periods (user_id, conversation_id, due_ms, messages)
  SELECT NUMBER(0), ${SEVERAL_CONVERSATIONS}, NUMBER(1), NUMBER(2) FROM ROWS(?1) WHERE true ORDER BY key
  ON CONFLICT (user_id, conversation_id) DO UPDATE SET messages = email_periods.messages + excluded.messages
  RETURNING user_id, messages`);

const STANDING = FACTS.with<Omit<StandingNotice, keyof NotificationFacts>>({
  message_id: 'integer',
  conversation_id: 'integer',
  channel_id: 'integer',
});

const forgetBounces = run('DELETE FROM email_bounces WHERE user_id = ? AND bounced_ms < ?');
const forgetDigests = run('DELETE FROM digests WHERE due_ms <> ?');
const setDigest = run(`
  INSERT INTO digests (due_ms, after_user_id) VALUES (?, ?)
  ON CONFLICT (due_ms) DO UPDATE SET after_user_id = excluded.after_user_id`);
const addBounce = run(`
  INSERT INTO email_bounces (user_id, bounced_ms, address) VALUES (?, ?, ?)
  ON CONFLICT (user_id, bounced_ms) DO NOTHING`);

export const emailNotices: Queries<EmailNoticeStore> = {
  choosers: (connection, channelId, limit, ways) => choosersBy(ways)(connection, 0, limit, channelId),

  concerned: (connection, { id, conversation_id, channel_id, topic }, afterUserId, limit, ways) =>
    concernedBy(ways)(connection, afterUserId, limit, channel_id ?? 0, foldTopic(topic), conversation_id, id),

  candidates: (connection, messageId, userIds, { onlyDevices }) =>
    candidates(connection, messageId, userIds, onlyDevices ? 1 : 0),

  add: announcing(async (connection, { id, conversation_id }, notices) => {
    const periods = await openPeriods(
      connection,
      conversation_id,
      notices.map(({ user_id, due_ms }) => [user_id, due_ms]),
      id,
    );
    const isFull = new Set(
      periods.filter(({ messages }) => messages > MAX_EMAIL_NOTICES).map(({ user_id }) => user_id),
    );
    const stored = notices.filter(({ user_id }) => !isFull.has(user_id));
    await addNotices(
      connection,
      conversation_id,
      stored.map(({ user_id, group_id }) => [user_id, id, group_id]),
    );
  }),

  nextDue: value('SELECT MIN(due_ms) AS at FROM email_periods'),

  async takeDue(connection, nowMs, limit) {
    const periods = await takePeriods(connection, nowMs, limit);
    const pairs = periods.map(({ user_id, conversation_id }) => [user_id, conversation_id]);
    const keyOf = (of: { user_id: number; conversation_id: number }) => `${of.user_id} ${of.conversation_id}`;
    const notices = groupBy(await takeNotices(connection, pairs), keyOf);
    return periods.map((period) => {
      const own = (notices.get(keyOf(period)) ?? []).sort((a, b) => a.message_id - b.message_id);
      const senders = own.flatMap(({ sender_id }) => (sender_id === null ? [] : [sender_id]));
      return {
        ...period,
        sender_ids: [...new Set(senders)],
        notices: own.map(({ message_id, group_id }) => ({ message_id, group_id })),
      };
    });
  },

  async count(connection, added, { nowMs, startedAfterMs }) {
    const given = added.map(({ user_id, is_sender, emails }) => [user_id, is_sender ? 1 : 0, emails] as const);
    given.sort(([a, s], [b, t]) => a - b || s - t);
    const counted = await addCounts(connection, given, nowMs, startedAfterMs);
    return counted.map((count) => ({ ...count, is_sender: count.is_sender === 1 }));
  },

  postpone: announcing(async (connection, batches) => {
    const byUser = [...groupBy(batches, ({ user_id }) => user_id)].sort(([a], [b]) => a - b);
    const countOf = (own: readonly EmailBatch[]) => own.reduce((sum, { messages }) => sum + messages, 0);
    const periods = byUser.map(([user_id, own]) => [
      user_id,
      Math.min(...own.map(({ due_ms }) => due_ms)),
      countOf(own),
    ]);
    const counts = new Map((await extendPeriods(connection, periods)).map((one) => [one.user_id, one.messages]));
    const notices = byUser.flatMap(([user_id, own]) => {
      const before = (counts.get(user_id) ?? 0) - countOf(own);
      const all = own.flatMap((batch) => batch.notices).sort((a, b) => a.message_id - b.message_id);
      const room = Math.max(0, MAX_EMAIL_NOTICES - before);
      return all.slice(0, room).map(({ message_id, group_id }) => [user_id, message_id, group_id]);
    });
    await addNotices(connection, SEVERAL_CONVERSATIONS, notices);
  }),

  standing: STANDING.many(`
    SELECT m.id AS message_id, m.conversation_id, c.channel_id, ${FACT_COLUMNS}
    FROM messages m JOIN conversations c ON c.id = m.conversation_id JOIN users u ON u.id = ?1 ${FACT_TABLES}
    WHERE m.id IN_IDS(?2) AND ${MAY_BE_NOTIFIED} AND ${RECEIVES} ORDER BY m.id`),

  async noteBounce(connection, { user_id, address, bounced_ms }, keepSinceMs) {
    await forgetBounces(connection, user_id, keepSinceMs);
    await addBounce(connection, user_id, bounced_ms, address);
  },

  bouncesOf: ids('SELECT bounced_ms FROM email_bounces WHERE user_id = ? AND address = ? AND bounced_ms >= ?'),
  lastDigest: row<Digest>('SELECT due_ms, after_user_id FROM digests ORDER BY due_ms DESC LIMIT 1'),
  async setDigest(connection, { due_ms, after_user_id }) {
    await forgetDigests(connection, due_ms);
    await setDigest(connection, due_ms, after_user_id);
  },
  digestReaders: column(`
    SELECT u.id FROM users u LEFT JOIN presences p ON p.user_id = u.id
    WHERE u.id > ?1 AND u.is_active = 1 AND u.bot_type IS NULL AND FIND(u.settings, '"enable_digest_emails":false') = 0
      AND COALESCE(p.connected_ms, 0) < ?3 ORDER BY u.id LIMIT ?2`),
};
