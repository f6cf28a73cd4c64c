import { present } from '../../base/present.ts';
import type { AvatarImage, Presence, User, UserStatus } from '../../model/users.ts';
import { emailKey, fold, nameKey } from '../../rules/fold.ts';
import type {
  AvatarStore,
  ExternalLogin,
  ExternalLoginStore,
  GuestVisibilityStore,
  PasswordReset,
  PasswordResetStore,
  PresenceStore,
  SignInNetworkStore,
  UserStatusStore,
  UserStore,
} from '../interface/users.ts';
import { inOrder } from './connection.ts';
import { record } from './record.ts';
import {
  after,
  changes,
  count,
  exists,
  findable,
  ids,
  isStorable,
  keyed,
  type Queries,
  rows,
  run,
  value,
} from './store.ts';

const USER = record<User>({
  id: 'integer',
  external_id: 'text',
  delivery_email: 'text',
  is_email_verified: 'boolean',
  full_name: 'text',
  role: 'integer',
  is_active: 'boolean',
  bot_type: 'integer',
  bot_owner_id: 'integer',
  bot_service: 'json',
  is_system_bot: 'boolean',
  timezone: 'text',
  joined_ms: 'integer',
  avatar_source: 'text',
  avatar_version: 'integer',
  email_visibility: 'integer',
  password_hash: 'text',
  key_generation: 'integer',
  login_generation: 'integer',
  ended_logins: 'json',
  can_change_user_emails: 'boolean',
  sign_in_unlocks: 'integer',
  settings: 'json',
  profile_data: 'text',
  version: 'integer',
});
const MIRROR = USER.only('id', 'external_id', 'delivery_email', 'full_name', 'role', 'is_active');
const CHANGEABLE = USER.without('id', 'version');
const ROW = CHANGEABLE.with<{ email_key: string; name_key: string; version: number }>({
  email_key: 'text',
  name_key: 'text',
  version: 'integer',
});

const select = (condition: string) => `SELECT ${USER.columns} FROM users WHERE ${condition} ORDER BY id`;
// In the order of the index: for that of ids, SQLite would rather go through all accounts than sort a few.
const changedSince = USER.many(`SELECT ${USER.columns} FROM users WHERE version > ? ORDER BY version`);
const INSERT = `${ROW.insertMany('users')} RETURNING ${USER.columns}`;
/** The version of changed accounts. Before the organization exists, its first accounts get version 1. */
const nextVersion = after(
  value('UPDATE organization SET users_version = users_version + 1 WHERE id = 1 RETURNING users_version'),
  (version) => version ?? 1,
);
/** Deactivated accounts do not count among the subscribers of their channels. */
const COUNT_IN_CHANNELS = `
  UPDATE channels SET subscriber_count = subscriber_count + CAST(? AS BIGINT)
  WHERE id IN (SELECT channel_id FROM subscriptions WHERE user_id = ? AND active = 1)`;
// Runs before the deactivation: only active accounts count among the subscribers.
const COUNT_OUT_OF_CHANNELS = `
  UPDATE channels SET subscriber_count = subscriber_count - gone.n FROM (
    SELECT s.channel_id AS id, COUNT(*) AS n FROM subscriptions s JOIN users u ON u.id = s.user_id
    WHERE s.user_id IN_IDS(?) AND s.active = 1 AND u.is_active = 1 GROUP BY s.channel_id) AS gone
  WHERE channels.id = gone.id`;
/** The tokens and cookies of before do not work again after a reactivation. */
const DEACTIVATE = `UPDATE users SET is_active = 0, login_generation = login_generation + 1, version = ?
  WHERE id IN_IDS(?) AND is_active = 1`;
const ACTIVE = 'SELECT ID_LIST(id) AS ids FROM users WHERE is_active = 1 AND is_system_bot = 0';
const byId = (users: User[]) => users.sort((a, b) => a.id - b.id);

export const users: Queries<UserStore> = {
  byId: USER.one(`SELECT ${USER.columns} FROM users WHERE id = ?`),
  byIds: USER.many(select('id IN_IDS(?)')),
  botsOwnedBy: USER.many(select('bot_owner_id = ? AND bot_type IS NOT NULL')),
  claimNotice: changes(`
    INSERT INTO bot_notices (bot_id, sent_ms) VALUES (?1, ?2)
    ON CONFLICT (bot_id) DO UPDATE SET sent_ms = excluded.sent_ms WHERE bot_notices.sent_ms <= ?3`),
  joinedBetween: USER.many(select('joined_ms > ? AND joined_ms <= ? AND is_active = 1 AND is_system_bot = 0')),
  bots: USER.many(`${select('bot_type IS NOT NULL AND is_system_bot = 0')} LIMIT ?`),
  ofMessages: USER.many(
    select(`id IN (
      SELECT m.sender_id FROM messages m WHERE m.id IN_IDS(?1)
      UNION
      SELECT p.user_id FROM conversation_participants p
      WHERE p.conversation_id IN (SELECT m.conversation_id FROM messages m WHERE m.id IN_IDS(?1)))`),
  ),
  byEmail: keyed(
    (email: string) => (isStorable(email) ? emailKey(email) : null),
    USER.one(`SELECT ${USER.columns} FROM users WHERE email_key = ?`),
  ),
  byEmails: keyed(
    (emails: readonly string[]) => findable(emails).map(emailKey),
    USER.many(select('email_key IN_TEXTS(?)')),
  ),
  byExternalIds: keyed(findable, USER.many(select('external_id IN_TEXTS(?)'))),
  mirrorsOf: MIRROR.many(`SELECT ${MIRROR.columns} FROM users WHERE external_id IN_TEXTS(?)`),
  mirrored: USER.many(
    `SELECT ${USER.columns} FROM users WHERE external_id > ? AND is_active = 1 ORDER BY external_id LIMIT ?`,
  ),
  withEmailVisibility: after(
    // In order here: for a few of very many an engine would sort all of them.
    USER.many(`SELECT ${USER.columns} FROM users WHERE email_visibility IN_FEW(?) AND bot_type IS NULL LIMIT ?`),
    byId,
  ),
  changedAmong: rows<Pick<User, 'id' | 'version'>>(
    'SELECT id, version FROM users WHERE version > ?2 AND id IN_IDS(?1)',
  ),
  countActive: count(`
    SELECT COUNT(*) AS n FROM users WHERE role = ? AND is_active = 1 AND bot_type IS NULL AND is_system_bot = 0`),

  async byNames(connection, names) {
    const wanted = new Set(names.map(fold));
    return (await users.withNamesLike(connection, names)).filter((user) => wanted.has(fold(user.full_name)));
  },

  withNamesLike: keyed((names: readonly string[]) => names.map(nameKey), USER.many(select('name_key IN_TEXTS(?)'))),

  async changedSince(connection, version) {
    if (version <= 0) return connection.many(USER, select('true'));
    return byId(await changedSince(connection, version));
  },
  create: async (connection, user) => present((await users.createMany(connection, [user]))[0]),

  async createMany(connection, users) {
    if (users.length === 0) return [];
    const version = await nextVersion(connection);
    const rows = users.map((user) =>
      ROW.values({ ...user, email_key: emailKey(user.delivery_email), name_key: nameKey(user.full_name), version }),
    );
    const created = await connection.many(USER, INSERT, [JSON.stringify(rows)]);
    // Engines promise no order of what they return.
    return byId(created);
  },

  async update(connection, id, patch) {
    const version = await nextVersion(connection);
    const { text, params } = CHANGEABLE.assignments(patch);
    const { delivery_email, full_name } = patch;
    const changed: [column: string, value: string][] = [];
    if (delivery_email !== undefined) changed.push(['email_key', emailKey(delivery_email)]);
    if (full_name !== undefined) changed.push(['name_key', nameKey(full_name)]);
    const isActivation = patch.is_active !== undefined;
    const before = isActivation ? await users.byId(connection, id) : undefined;
    const user = await connection.one(
      USER,
      `UPDATE users SET ${text}${text && ', '}${changed.map(([column]) => `${column} = ?, `).join('')}version = ?
       WHERE id = ? RETURNING ${USER.columns}`,
      [...params, ...changed.map(([, value]) => value), version, id],
      { once: true },
    );
    if (!user) throw new Error(`There is no user ${id}.`);
    if (before && before.is_active !== user.is_active) {
      await connection.run(COUNT_IN_CHANNELS, [user.is_active ? 1 : -1, id]);
    }
    return user;
  },

  async deactivate(connection, ids) {
    if (ids.length === 0) return;
    const list = JSON.stringify(ids);
    await connection.run(COUNT_OUT_OF_CHANNELS, [list]);
    await connection.run(DEACTIVATE, [await nextVersion(connection), list]);
  },

  async dropProfileValues(connection, fieldId, values) {
    const version = await nextVersion(connection);
    const member = String(fieldId);
    // A key in quotation marks stands nowhere else: within a text they are escaped.
    const having = [`"${member}":`, ...(values ? [member, JSON.stringify(values)] : [])];
    await connection.run(
      `UPDATE users SET profile_data = JSON_WITHOUT(profile_data, ?), version = ?
       WHERE FIND(profile_data, ?) > 0${values ? " AND JSON_MEMBER(profile_data, ?, 'value') IN_TEXTS(?)" : ''}`,
      [member, version, ...having],
    );
  },

  async activeIds(connection, roles) {
    const [list, params] = roles ? [`${ACTIVE} AND role IN_FEW(?)`, [JSON.stringify(roles)]] : [ACTIVE, []];
    return inOrder(await connection.idList(list, params));
  },
  inactiveIds: async (connection) =>
    inOrder(await connection.idList('SELECT ID_LIST(id) AS ids FROM users WHERE is_active = 0')),
};

const AVATAR = record<AvatarImage>({ file_name: 'text', user_id: 'integer', bytes: 'bytes' });

const addAvatar = AVATAR.write(`INSERT INTO avatar_images (${AVATAR.columns}) VALUES (${AVATAR.places})`);

export const avatars: Queries<AvatarStore> = {
  image: AVATAR.one(`SELECT ${AVATAR.columns} FROM avatar_images WHERE file_name = ?`),

  async replace(connection, userId, images) {
    await connection.run('DELETE FROM avatar_images WHERE user_id = ?', [userId]);
    for (const image of images) await addAvatar(connection, { ...image, user_id: userId });
  },
};

export const guestVisibility: Queries<GuestVisibilityStore> = {
  visibleTo: ids(`
    SELECT u.id FROM users u WHERE u.bot_type IS NOT NULL
    UNION
    SELECT o.user_id FROM subscriptions g
    JOIN subscriptions o ON o.channel_id = g.channel_id AND o.active = 1
    JOIN users u ON u.id = o.user_id AND u.is_active = 1
    WHERE g.user_id = ?1 AND g.active = 1
    UNION
    SELECT o.user_id FROM conversation_participants g
    JOIN conversation_participants o ON o.conversation_id = g.conversation_id
    WHERE g.user_id = ?1`),
  between: rows<{ guest_id: number; user_id: number }>(`
    SELECT g.user_id AS guest_id, o.user_id FROM subscriptions g
    JOIN subscriptions o ON o.channel_id = g.channel_id AND o.active = 1
    JOIN users u ON u.id = o.user_id AND u.is_active = 1
    WHERE g.user_id IN_IDS(?1) AND g.active = 1 AND o.user_id IN_IDS(?2) AND o.user_id <> g.user_id
    UNION
    SELECT g.user_id, o.user_id FROM conversation_participants g
    JOIN conversation_participants o ON o.conversation_id = g.conversation_id
    WHERE g.user_id IN_IDS(?1) AND o.user_id IN_IDS(?2) AND o.user_id <> g.user_id`),
};

const PRESENCE = record<Presence>({
  user_id: 'integer',
  active_ms: 'integer',
  connected_ms: 'integer',
  update_id: 'integer',
});

// The row stays locked until the commit, so that IDs become visible in order.
const nextId = count('UPDATE presence_updates SET update_id = update_id + 1 WHERE id = 1 RETURNING update_id');
const RECORD_PRESENCES = `
  INSERT INTO presences (user_id, connected_ms, active_ms, update_id)
  SELECT p.a, p.b, CAST(p.c AS BIGINT), CAST(? AS BIGINT) FROM PAIRS(?) AS p WHERE 1 = 1
  ON CONFLICT (user_id) DO UPDATE SET
    connected_ms = CASE WHEN excluded.connected_ms > presences.connected_ms
      THEN excluded.connected_ms ELSE presences.connected_ms END,
    active_ms = CASE WHEN excluded.active_ms > COALESCE(presences.active_ms, 0)
      THEN excluded.active_ms ELSE presences.active_ms END,
    update_id = excluded.update_id
  WHERE excluded.connected_ms > presences.connected_ms OR excluded.active_ms > COALESCE(presences.active_ms, 0)`;
const REPLACE_PRESENCE = `
  INSERT INTO presences (${PRESENCE.columns}) VALUES (${PRESENCE.places})
  ON CONFLICT (user_id) DO UPDATE SET
    active_ms = excluded.active_ms, connected_ms = excluded.connected_ms, update_id = excluded.update_id`;

export const presences: Queries<PresenceStore> = {
  of: PRESENCE.one(`SELECT ${PRESENCE.columns} FROM presences WHERE user_id = ?`),
  changedSince: PRESENCE.many(
    `SELECT ${PRESENCE.columns} FROM presences WHERE update_id > ? ORDER BY update_id, user_id`,
  ),

  async record(connection, seen) {
    if (seen.length === 0) return;
    const rows = seen.map(({ user_id, connected_ms, active_ms }) => [user_id, connected_ms, active_ms]);
    await connection.run(RECORD_PRESENCES, [await nextId(connection), JSON.stringify(rows)]);
  },

  async replace(connection, seen) {
    const update_id = await nextId(connection);
    await connection.run(REPLACE_PRESENCE, PRESENCE.values({ ...seen, update_id }));
  },
};

const STATUS = record<UserStatus>({
  user_id: 'integer',
  status_text: 'text',
  emoji_name: 'text',
  emoji_code: 'text',
  reaction_type: 'text',
});

const SET_STATUS = `
  INSERT INTO user_statuses (${STATUS.columns}) VALUES (${STATUS.places})
  ON CONFLICT (user_id) DO UPDATE SET status_text = excluded.status_text, emoji_name = excluded.emoji_name,
    emoji_code = excluded.emoji_code, reaction_type = excluded.reaction_type`;

export const userStatuses: Queries<UserStatusStore> = {
  all: STATUS.many(`SELECT ${STATUS.columns} FROM user_statuses ORDER BY user_id`),
  of: STATUS.many(`SELECT ${STATUS.columns} FROM user_statuses WHERE user_id IN_IDS(?) ORDER BY user_id`),

  async set(connection, status) {
    if (status.status_text === '' && status.emoji_name === '')
      await connection.run('DELETE FROM user_statuses WHERE user_id = ?', [status.user_id]);
    else await connection.run(SET_STATUS, STATUS.values(status));
  },
};

const RESET = record<PasswordReset>({
  token_hash: 'text',
  user_id: 'integer',
  account_state: 'text',
  created_ms: 'integer',
  is_mailed: 'boolean',
  new_email: 'text',
});

const MAILED = ids(`
  SELECT created_ms FROM password_resets
  WHERE user_id = ? AND created_ms > ? AND is_mailed = 1 AND new_email IS NULL ORDER BY created_ms`);
const CHANGES_MAILED = ids(`
  SELECT created_ms FROM password_resets
  WHERE user_id = ? AND created_ms > ? AND is_mailed = 1 AND new_email IS NOT NULL ORDER BY created_ms`);
const ADD_RESET = `INSERT INTO password_resets (${RESET.columns}) VALUES (${RESET.places})`;
const REMOVE_OLDER_RESETS = `
  DELETE FROM password_resets WHERE token_hash IN (
    SELECT token_hash FROM password_resets WHERE user_id = ?
    ORDER BY created_ms DESC, token_hash LIMIT 1000 OFFSET ?)`;

export const passwordResets: Queries<PasswordResetStore> = {
  byToken: RESET.one(`SELECT ${RESET.columns} FROM password_resets WHERE token_hash = ?`),
  mailedSince: (connection, userId, since, { changes }) =>
    (changes ? CHANGES_MAILED : MAILED)(connection, userId, since),
  endChanges: run("UPDATE password_resets SET account_state = '' WHERE user_id = ? AND new_email IS NOT NULL"),
  uncount: run('UPDATE password_resets SET is_mailed = 0 WHERE token_hash = ?'),
  removeOf: run('DELETE FROM password_resets WHERE user_id = ?'),

  async add(connection, reset, limit) {
    await connection.run(ADD_RESET, RESET.values(reset));
    await connection.run(REMOVE_OLDER_RESETS, [reset.user_id, limit]);
  },
};

const REMEMBER_NETWORK = `
  INSERT INTO sign_in_networks (user_id, network, last_ms) VALUES (?, ?, ?)
  ON CONFLICT (user_id, network) DO UPDATE SET last_ms = excluded.last_ms`;
const FORGET_OLDER_NETWORKS = `
  DELETE FROM sign_in_networks WHERE user_id = ? AND network IN (
    SELECT network FROM sign_in_networks WHERE user_id = ?
    ORDER BY last_ms DESC, network LIMIT 1000 OFFSET ?)`;

const LOGIN = record<ExternalLogin>({ issuer: 'text', subject: 'text', user_id: 'integer' });

export const externalLogins: Queries<ExternalLoginStore> = {
  holder: value('SELECT user_id FROM external_logins WHERE issuer = ? AND subject = ?'),
  has: exists('SELECT 1 AS one FROM external_logins WHERE user_id = ? AND issuer = ?'),
  removeOf: run('DELETE FROM external_logins WHERE user_id = ?'),

  async add(connection, login) {
    await connection.run(
      `INSERT INTO external_logins (${LOGIN.columns}) VALUES (${LOGIN.places})`,
      LOGIN.values(login),
    );
  },
};

export const signInNetworks: Queries<SignInNetworkStore> = {
  isKnown: exists('SELECT 1 AS one FROM sign_in_networks WHERE user_id = ? AND network = ? AND last_ms >= ?'),

  async remember(connection, userId, network, { now, limit }) {
    await connection.run(REMEMBER_NETWORK, [userId, network, now]);
    await connection.run(FORGET_OLDER_NETWORKS, [userId, userId, limit]);
  },
};
