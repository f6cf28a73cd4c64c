import type { PushCandidate, PushNotice, PushNoticeStore } from '../interface/push-notices.ts';
import { SqlStore } from './connection.ts';
import { FLAG_BITS, READ, RECEIVED } from './read-rule.ts';
import { record } from './record.ts';

const CANDIDATE = record<PushCandidate>({
  user_id: 'integer',
  is_mentioned: 'boolean',
  is_mentioned_with_all: 'boolean',
  visibility_policy: 'integer',
  is_channel_muted: 'boolean',
  push_notifications: 'boolean',
  wildcard_mentions_notify: 'boolean',
  connected_ms: 'integer',
});
const NOTICE = record<PushNotice>({ user_id: 'integer', message_id: 'integer', is_withdrawn: 'boolean' });

const hasFlag = (bit: number) => `CASE WHEN (COALESCE(f.bits, 0) & ${bit}) <> 0 THEN 1 ELSE 0 END`;
const OF_USER = 'u.id';
const RECEIVES = `${RECEIVED.replaceAll('?', OF_USER)} AND NOT ${READ.replaceAll('?', OF_USER)}`;

// Checks devices first, user by user: a list of all users with a device would be read completely for each page.
const CANDIDATES = `
  SELECT u.id AS user_id, ${hasFlag(FLAG_BITS.mentioned)} AS is_mentioned,
    ${hasFlag(FLAG_BITS.wildcard_mentioned)} AS is_mentioned_with_all,
    COALESCE(t.visibility_policy, 0) AS visibility_policy, COALESCE(s.is_muted, 0) AS is_channel_muted,
    s.push_notifications, s.wildcard_mentions_notify, p.connected_ms
  FROM messages m JOIN conversations c ON c.id = m.conversation_id
  CROSS JOIN users u
  LEFT JOIN message_flags f ON f.message_id = m.id AND f.user_id = u.id
  LEFT JOIN subscriptions s ON s.user_id = u.id AND s.channel_id = c.channel_id AND s.active = 1
  LEFT JOIN user_topics t ON t.user_id = u.id AND t.channel_id = c.channel_id AND t.topic_key = c.topic_key
  LEFT JOIN presences p ON p.user_id = u.id
  WHERE m.id = ? AND u.id > ? AND u.id <> m.sender_id AND u.is_active = 1 AND u.bot_type IS NULL
    AND (EXISTS (
        SELECT 1 FROM push_devices d WHERE d.user_id = u.id AND d.relay_device_id IS NOT NULL AND d.error_code IS NULL)
      OR EXISTS (SELECT 1 FROM push_tokens k WHERE k.user_id = u.id))
    AND ${RECEIVES}
  ORDER BY u.id LIMIT ?`;
const ADD = {
  sqlite: `
    INSERT INTO push_notices (user_id, message_id, due_ms, is_withdrawn)
    SELECT value, ?, ?, 0 FROM json_each(?) WHERE true
    ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id`,
  postgres: `
    INSERT INTO push_notices (user_id, message_id, due_ms, is_withdrawn)
    SELECT CAST(value AS bigint), CAST(? AS bigint), CAST(? AS bigint), 0
    FROM json_array_elements_text(CAST(? AS json)) ORDER BY 1
    ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id`,
};
const STANDING = `
  SELECT u.id AS user_id FROM messages m
  JOIN push_notices n ON n.message_id = m.id AND n.is_withdrawn = 0
  JOIN users u ON u.id = n.user_id
  WHERE m.id = ? AND n.user_id IN_IDS(?) AND u.is_active = 1 AND ${RECEIVES} ORDER BY u.id`;
const WITHDRAWN = 'UPDATE push_notices SET is_withdrawn = 1, due_ms = ? WHERE is_withdrawn = 0';
const WITHDRAW = `${WITHDRAWN} AND user_id = ? AND message_id IN_IDS(?)`;
const WITHDRAW_MESSAGES = `${WITHDRAWN} AND message_id IN_IDS(?)`;
const NEXT_DUE = 'SELECT MIN(due_ms) AS at FROM push_notices';
const TAKE_DUE = {
  sqlite: `
    DELETE FROM push_notices WHERE (user_id, message_id) IN (
      SELECT user_id, message_id FROM push_notices WHERE due_ms <= ? ORDER BY due_ms LIMIT ?)
    RETURNING ${NOTICE.columns}`,
  postgres: `
    WITH taken AS MATERIALIZED (
      SELECT user_id, message_id FROM push_notices WHERE due_ms <= ? ORDER BY due_ms LIMIT ? FOR UPDATE SKIP LOCKED)
    DELETE FROM push_notices WHERE (user_id, message_id) IN (SELECT user_id, message_id FROM taken)
    RETURNING ${NOTICE.columns}`,
};

type UserRow = { user_id: number };

const ascending = (rows: readonly UserRow[]) => rows.map(({ user_id }) => user_id).sort((one, other) => one - other);

export class SqlPushNotices extends SqlStore implements PushNoticeStore {
  async candidates(messageId: number, afterUserId: number, limit: number): Promise<PushCandidate[]> {
    return this.connection.many(CANDIDATE, CANDIDATES, [messageId, afterUserId, limit]);
  }

  async add(messageId: number, userIds: readonly number[], untilMs: number): Promise<number[]> {
    if (userIds.length === 0) return [];
    const params = [messageId, untilMs, JSON.stringify(userIds)];
    return ascending(await this.connection.all<UserRow>(ADD[this.connection.dialect.name], params));
  }

  async standing(messageId: number, userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return [];
    return ascending(await this.connection.all<UserRow>(STANDING, [messageId, JSON.stringify(userIds)]));
  }

  async withdraw(userId: number, messageIds: readonly number[], dueMs: number): Promise<boolean> {
    if (messageIds.length === 0) return false;
    return this.#withdraw(WITHDRAW, [dueMs, userId, JSON.stringify(messageIds)]);
  }

  async withdrawMessages(messageIds: readonly number[], dueMs: number): Promise<boolean> {
    if (messageIds.length === 0) return false;
    return this.#withdraw(WITHDRAW_MESSAGES, [dueMs, JSON.stringify(messageIds)]);
  }

  async #withdraw(sql: string, params: (number | string)[]): Promise<boolean> {
    const isAny = (await this.connection.run(sql, params)) > 0;
    if (isAny) this.connection.concurrency?.announceDueWork();
    return isAny;
  }

  async nextDue(): Promise<number | undefined> {
    return this.connection.value(NEXT_DUE);
  }

  async takeDue(nowMs: number, limit: number): Promise<PushNotice[]> {
    return this.connection.many(NOTICE, TAKE_DUE[this.connection.dialect.name], [nowMs, limit]);
  }
}
