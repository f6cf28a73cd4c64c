import type {
  ActivePushDevice,
  NewPushDevice,
  PushCandidate,
  PushDevice,
  PushDeviceStore,
  PushNotice,
  PushNoticeStore,
  PushRegistrationRef,
  PushTokenKind,
  PushTokenRecord,
  PushTokenStore,
} from '../interface/push.ts';
import { inOrder, SqlStore } from './connection.ts';
import { raiseVersion } from './organization.ts';
import { FLAG_BITS, READ, RECEIVED } from './read-rule.ts';
import { record } from './record.ts';

const DEVICE = record<PushDevice>({
  id: 'integer',
  user_id: 'integer',
  push_account_id: 'integer',
  token_kind: 'text',
  push_public_key: 'text',
  registration: 'integer',
  relay_device_id: 'integer',
  error_code: 'text',
});

const DEVICES_OF_USER = `SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? ORDER BY id`;
const COUNT_DEVICES = 'SELECT COUNT(*) AS count FROM push_devices WHERE user_id = ?';
const DEVICE_BY_ID = `SELECT ${DEVICE.columns} FROM push_devices WHERE id = ?`;
const DEVICE_BY_ACCOUNT = `SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? AND push_account_id = ?`;
// One statement, so that of two concurrent registrations of a device only one succeeds.
const REGISTER = `
  INSERT INTO push_devices (user_id, push_account_id, token_kind, push_public_key, registration)
  VALUES (?, ?, ?, ?, 1)
  ON CONFLICT (user_id, push_account_id) DO UPDATE SET token_kind = excluded.token_kind,
    push_public_key = excluded.push_public_key, registration = push_devices.registration + 1,
    relay_device_id = NULL, error_code = NULL
  WHERE push_devices.error_code IS NOT NULL
  RETURNING id, registration`;
const ACTIVATE = `
  UPDATE push_devices SET relay_device_id = ?
  WHERE id = ? AND registration = ? AND relay_device_id IS NULL AND error_code IS NULL`;
const FAIL = `
  UPDATE push_devices SET error_code = ? WHERE id = ? AND registration = ? AND error_code IS NULL
  RETURNING relay_device_id`;
const FAIL_ALL = `
  UPDATE push_devices SET error_code = ? WHERE user_id = ? AND error_code IS NULL RETURNING ${DEVICE.columns}`;
const REMOVE_RELAYED = 'DELETE FROM push_devices WHERE relay_device_id IN_IDS(?)';
const ACTIVE = `
  SELECT ${DEVICE.columns} FROM push_devices
  WHERE user_id IN_IDS(?) AND relay_device_id IS NOT NULL AND error_code IS NULL ORDER BY user_id, id`;
const IS_ACTIVE = 'd.relay_device_id IS NOT NULL AND d.error_code IS NULL';
// Each table by its own index, up to the limit.
const someOwners = (join: string, where: string) => `
  SELECT user_id FROM (
    SELECT DISTINCT d.user_id FROM push_devices d ${join} WHERE ${where} AND ${IS_ACTIVE}
    ORDER BY d.user_id LIMIT ?) devices
  UNION SELECT user_id FROM (
    SELECT DISTINCT d.user_id FROM push_tokens d ${join} WHERE ${where}
    ORDER BY d.user_id LIMIT ?) tokens
  ORDER BY user_id LIMIT ?`;
const OWNERS_AMONG = someOwners('', 'd.user_id IN_IDS(?)');
const OWNERS_IN_CHANNEL = someOwners(
  'JOIN subscriptions s ON s.user_id = d.user_id',
  's.channel_id = ? AND s.active = 1',
);

export class SqlPushDevices extends SqlStore implements PushDeviceStore {
  readonly of = this.statement.many(DEVICE, DEVICES_OF_USER);
  readonly byId = this.statement.one(DEVICE, DEVICE_BY_ID);
  readonly byAccount = this.statement.one(DEVICE, DEVICE_BY_ACCOUNT);

  async count(userId: number): Promise<number> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.value(COUNT_DEVICES, [userId])) ?? 0;
  }

  async register({ user_id, push_account_id, token_kind, push_public_key }: NewPushDevice) {
    return this.connection.get<PushRegistrationRef>(REGISTER, [user_id, push_account_id, token_kind, push_public_key]);
  }

  async activate({ id, registration }: PushRegistrationRef, relayDeviceId: number): Promise<boolean> {
    const isChanged = (await this.connection.run(ACTIVATE, [relayDeviceId, id, registration])) > 0;
    if (isChanged) await raiseVersion(this.connection, 'push');
    return isChanged;
  }

  async fail({ id, registration }: PushRegistrationRef, errorCode: string): Promise<boolean> {
    const failed = await this.connection.get<{ relay_device_id: number | null }>(FAIL, [errorCode, id, registration]);
    if (failed && failed.relay_device_id !== null) await raiseVersion(this.connection, 'push');
    return failed !== undefined;
  }

  async failAll(userId: number, errorCode: string): Promise<PushDevice[]> {
    const failed = await this.connection.many(DEVICE, FAIL_ALL, [errorCode, userId]);
    if (failed.some(({ relay_device_id }) => relay_device_id !== null)) await raiseVersion(this.connection, 'push');
    return failed.sort((a, b) => a.id - b.id);
  }

  async removeRelayed(relayDeviceIds: readonly number[]): Promise<number> {
    if (relayDeviceIds.length === 0) return 0;
    const removed = await this.connection.run(REMOVE_RELAYED, [JSON.stringify(relayDeviceIds)]);
    if (removed > 0) await raiseVersion(this.connection, 'push');
    return removed;
  }

  async someOwners(among: { users: readonly number[] } | { channel: number }, limit: number): Promise<number[]> {
    const [sql, users] =
      'channel' in among ? [OWNERS_IN_CHANNEL, among.channel] : [OWNERS_AMONG, JSON.stringify(among.users)];
    return this.connection.column(sql, [users, limit, users, limit, limit]);
  }

  async active(userIds: readonly number[]): Promise<ActivePushDevice[]> {
    if (userIds.length === 0) return [];
    return (await this.connection.many(DEVICE, ACTIVE, [JSON.stringify(userIds)])) as ActivePushDevice[];
  }
}

const TOKEN = record<PushTokenRecord>({
  user_id: 'integer',
  kind: 'text',
  token: 'text',
  ios_app_id: 'text',
});

const TOKENS_OF_USERS = `SELECT ${TOKEN.columns} FROM push_tokens WHERE user_id IN_IDS(?)`;
const ADD_TOKEN = `INSERT INTO push_tokens (${TOKEN.columns}) VALUES (${TOKEN.places}) ON CONFLICT DO NOTHING`;
const SET_APP = 'UPDATE push_tokens SET ios_app_id = ? WHERE user_id = ? AND kind = ? AND token = ?';
const REMOVE_TOKENS = 'DELETE FROM push_tokens WHERE user_id = ? AND kind = ? AND token IN_TEXTS(?)';
const REMOVE_ALL_TOKENS = `DELETE FROM push_tokens WHERE user_id = ? RETURNING ${TOKEN.columns}`;

export class SqlPushTokens extends SqlStore implements PushTokenStore {
  async of(userId: number): Promise<PushTokenRecord[]> {
    return this.ofAll([userId]);
  }

  async ofAll(userIds: readonly number[]): Promise<PushTokenRecord[]> {
    if (userIds.length === 0) return [];
    return ordered(await this.connection.many(TOKEN, TOKENS_OF_USERS, [JSON.stringify(userIds)]));
  }

  async add(token: PushTokenRecord): Promise<void> {
    const { user_id, kind, token: name, ios_app_id } = token;
    if ((await this.connection.run(ADD_TOKEN, TOKEN.values(token))) > 0) await raiseVersion(this.connection, 'push');
    else await this.connection.run(SET_APP, [ios_app_id, user_id, kind, name]);
  }

  async remove(userId: number, kind: PushTokenKind, tokens: readonly string[]): Promise<number> {
    if (tokens.length === 0) return 0;
    const removed = await this.connection.run(REMOVE_TOKENS, [userId, kind, JSON.stringify(tokens)]);
    if (removed > 0) await raiseVersion(this.connection, 'push');
    return removed;
  }

  async removeOf(userId: number): Promise<PushTokenRecord[]> {
    const removed = await this.connection.many(TOKEN, REMOVE_ALL_TOKENS, [userId]);
    if (removed.length > 0) await raiseVersion(this.connection, 'push');
    return ordered(removed);
  }
}

/** Engines differ in how they order texts. */
function ordered(tokens: PushTokenRecord[]): PushTokenRecord[] {
  const key = ({ kind, token }: PushTokenRecord) => `${kind} ${token}`;
  return tokens.sort((a, b) => a.user_id - b.user_id || (key(a) < key(b) ? -1 : 1));
}

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
const USER_ID = 'u.id';
const RECEIVES = `${RECEIVED.replaceAll('?', USER_ID)} AND NOT ${READ.replaceAll('?', USER_ID)}`;

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
const ADD_NOTICES = `
  INSERT INTO push_notices (user_id, message_id, due_ms, is_withdrawn)
  SELECT g.id, CAST(? AS BIGINT), CAST(? AS BIGINT), 0 FROM IDS(?) AS g WHERE true ORDER BY g.id
  ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id`;
const STANDING = `
  SELECT u.id AS user_id FROM messages m
  JOIN push_notices n ON n.message_id = m.id AND n.is_withdrawn = 0
  JOIN users u ON u.id = n.user_id
  WHERE m.id = ? AND n.user_id IN_IDS(?) AND u.is_active = 1 AND ${RECEIVES} ORDER BY u.id`;
const WITHDRAWN = 'UPDATE push_notices SET is_withdrawn = 1, due_ms = ? WHERE is_withdrawn = 0';
const WITHDRAW = `${WITHDRAWN} AND user_id = ? AND message_id IN_IDS(?)`;
const WITHDRAW_MESSAGES = `${WITHDRAWN} AND message_id IN_IDS(?)`;
const NEXT_DUE = 'SELECT MIN(due_ms) AS at FROM push_notices';
const TAKE_DUE = `
  WITH taken AS MATERIALIZED (
    SELECT user_id, message_id FROM push_notices WHERE due_ms <= ? ORDER BY due_ms LIMIT ? SKIP_LOCKED)
  DELETE FROM push_notices WHERE (user_id, message_id) IN (SELECT user_id, message_id FROM taken)
  RETURNING ${NOTICE.columns}`;

export class SqlPushNotices extends SqlStore implements PushNoticeStore {
  readonly candidates = this.statement.many(CANDIDATE, CANDIDATES);
  readonly nextDue = this.statement.value(NEXT_DUE);
  readonly takeDue = this.statement.many(NOTICE, TAKE_DUE);

  async add(messageId: number, userIds: readonly number[], untilMs: number): Promise<number[]> {
    if (userIds.length === 0) return [];
    const params = [messageId, untilMs, JSON.stringify(userIds)];
    return inOrder(await this.connection.column(ADD_NOTICES, params));
  }

  async standing(messageId: number, userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return [];
    return inOrder(await this.connection.column(STANDING, [messageId, JSON.stringify(userIds)]));
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
}
