import type {
  ActivePushDevice,
  PushBrowser,
  PushBrowserStore,
  PushDevice,
  PushDeviceStore,
  PushNotice,
  PushNoticeStore,
  PushRegistrationRef,
  PushTokenRecord,
  PushTokenStore,
} from '../interface/push.ts';
import { RECEIVES } from './notification-facts.ts';
import { raiseVersion, raising } from './organization.ts';
import { record } from './record.ts';
import { after, changed, changes, count, ids, locking, type Queries, row, run, value } from './store.ts';

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

// One statement, so that of two concurrent registrations of a device only one succeeds.
const REGISTER = `
  INSERT INTO push_devices (user_id, push_account_id, token_kind, push_public_key, registration)
  VALUES (?, ?, ?, ?, 1)
  ON CONFLICT (user_id, push_account_id) DO UPDATE SET token_kind = excluded.token_kind,
    push_public_key = excluded.push_public_key, registration = push_devices.registration + 1,
    relay_device_id = NULL, error_code = NULL
  WHERE push_devices.error_code IS NOT NULL
  RETURNING id, registration`;
const activate = raising(
  'push',
  changes(`
    UPDATE push_devices SET relay_device_id = ?3
    WHERE id = ?1 AND registration = ?2 AND relay_device_id IS NULL AND error_code IS NULL`),
);
const fail = row<{ relay_device_id: number | null }>(`
  UPDATE push_devices SET error_code = ?3 WHERE id = ?1 AND registration = ?2 AND error_code IS NULL
  RETURNING relay_device_id`);
const failAll = DEVICE.many(`
  UPDATE push_devices SET error_code = ?2 WHERE user_id = ?1 AND error_code IS NULL RETURNING ${DEVICE.columns}`);
const active = DEVICE.many(`
  SELECT ${DEVICE.columns} FROM push_devices
  WHERE user_id IN_IDS(?) AND relay_device_id IS NOT NULL AND error_code IS NULL ORDER BY user_id, id`);
const IS_ACTIVE = 'd.relay_device_id IS NOT NULL AND d.error_code IS NULL';
// Each table by its own index, up to the limit.
const someOwners = (join: string, where: string) =>
  ids(`
  SELECT user_id FROM (
    SELECT DISTINCT d.user_id FROM push_devices d ${join} WHERE ${where} AND ${IS_ACTIVE}
    ORDER BY d.user_id LIMIT ?2) devices
  UNION SELECT user_id FROM (
    SELECT DISTINCT d.user_id FROM push_tokens d ${join} WHERE ${where}
    ORDER BY d.user_id LIMIT ?2) tokens
  UNION SELECT user_id FROM (
    SELECT DISTINCT d.user_id FROM push_browsers d ${join} WHERE ${where}
    ORDER BY d.user_id LIMIT ?2) browsers
  ORDER BY user_id LIMIT ?2`);
const ownersAmong = someOwners('', 'd.user_id IN_IDS(?1)');
const ownersInChannel = someOwners(
  'JOIN subscriptions s ON s.user_id = d.user_id',
  's.channel_id = ?1 AND s.active = 1',
);

export const pushDevices: Queries<PushDeviceStore> = {
  of: DEVICE.many(`SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? ORDER BY id`),
  count: locking(count('SELECT COUNT(*) AS count FROM push_devices WHERE user_id = ?')),
  byId: DEVICE.one(`SELECT ${DEVICE.columns} FROM push_devices WHERE id = ?`),
  byAccount: DEVICE.one(`SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? AND push_account_id = ?`),
  activate: (connection, { id, registration }, relayDeviceId) => activate(connection, id, registration, relayDeviceId),
  removeRelayed: raising('push', changed('DELETE FROM push_devices WHERE relay_device_id IN_IDS(?)')),
  active: after(active, (found) => found as ActivePushDevice[]),
  register: async (connection, { user_id, push_account_id, token_kind, push_public_key }) =>
    connection.get<PushRegistrationRef>(REGISTER, [user_id, push_account_id, token_kind, push_public_key]),

  async fail(connection, { id, registration }, errorCode) {
    const failed = await fail(connection, id, registration, errorCode);
    if (failed && failed.relay_device_id !== null) await raiseVersion(connection, 'push');
    return failed !== undefined;
  },

  async failAll(connection, userId, errorCode) {
    const failed = await failAll(connection, userId, errorCode);
    if (failed.some(({ relay_device_id }) => relay_device_id !== null)) await raiseVersion(connection, 'push');
    return failed.sort((a, b) => a.id - b.id);
  },

  async someOwners(connection, among, limit) {
    if ('channel' in among) return ownersInChannel(connection, among.channel, limit);
    return ownersAmong(connection, among.users, limit);
  },
};

const TOKEN = record<PushTokenRecord>({
  user_id: 'integer',
  kind: 'text',
  token: 'text',
  ios_app_id: 'text',
});

const ADD_TOKEN = `INSERT INTO push_tokens (${TOKEN.columns}) VALUES (${TOKEN.places}) ON CONFLICT DO NOTHING`;
const SET_APP = 'UPDATE push_tokens SET ios_app_id = ? WHERE user_id = ? AND kind = ? AND token = ?';

const ofAll = after(TOKEN.many(`SELECT ${TOKEN.columns} FROM push_tokens WHERE user_id IN_IDS(?)`), ordered);
const removeOf = TOKEN.many(`DELETE FROM push_tokens WHERE user_id = ? RETURNING ${TOKEN.columns}`);

export const pushTokens: Queries<PushTokenStore> = {
  of: (connection, userId) => ofAll(connection, [userId]),
  ofAll,
  remove: raising('push', changed('DELETE FROM push_tokens WHERE user_id = ? AND kind = ? AND token IN_TEXTS(?)')),

  async add(connection, token) {
    const { user_id, kind, token: name, ios_app_id } = token;
    if ((await connection.run(ADD_TOKEN, TOKEN.values(token))) > 0) await raiseVersion(connection, 'push');
    else await connection.run(SET_APP, [ios_app_id, user_id, kind, name]);
  },

  async removeOf(connection, userId) {
    const removed = await removeOf(connection, userId);
    if (removed.length > 0) await raiseVersion(connection, 'push');
    return ordered(removed);
  },
};

/** Engines differ in how they order texts. */
function ordered(tokens: PushTokenRecord[]): PushTokenRecord[] {
  const key = ({ kind, token }: PushTokenRecord) => `${kind} ${token}`;
  return tokens.sort((a, b) => a.user_id - b.user_id || (key(a) < key(b) ? -1 : 1));
}

const BROWSER = record<PushBrowser>({
  id: 'integer',
  user_id: 'integer',
  endpoint: 'text',
  public_key: 'text',
  auth_secret: 'text',
  credentials: 'text',
  login_id: 'text',
  rooms: 'json',
  ends_ms: 'integer',
});
const NEW_BROWSER = BROWSER.without('id');
const ADD_BROWSER = `
  INSERT INTO push_browsers (${NEW_BROWSER.columns}) VALUES (${NEW_BROWSER.places})
  ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, public_key = excluded.public_key,
    auth_secret = excluded.auth_secret, credentials = excluded.credentials, login_id = excluded.login_id,
    rooms = excluded.rooms, ends_ms = excluded.ends_ms`;
const removeSurplus = run(`
  DELETE FROM push_browsers WHERE user_id = ?1 AND id NOT IN (
    SELECT id FROM push_browsers WHERE user_id = ?1 ORDER BY ends_ms DESC, id DESC LIMIT ?2)`);

export const pushBrowsers: Queries<PushBrowserStore> = {
  ofAll: BROWSER.many(`SELECT ${BROWSER.columns} FROM push_browsers WHERE user_id IN_IDS(?) ORDER BY user_id, id`),
  byId: BROWSER.one(`SELECT ${BROWSER.columns} FROM push_browsers WHERE id = ?`),
  remove: raising('push', changes('DELETE FROM push_browsers WHERE user_id = ? AND endpoint = ?')),
  removeById: raising('push', changes('DELETE FROM push_browsers WHERE id = ?')),
  removeOfLogins: raising('push', changed('DELETE FROM push_browsers WHERE user_id = ? AND login_id IN_TEXTS(?)')),
  removeAll: raising('push', changed('DELETE FROM push_browsers')),

  async add(connection, browser, kept) {
    await connection.run(ADD_BROWSER, NEW_BROWSER.values(browser));
    await removeSurplus(connection, browser.user_id, kept);
    await raiseVersion(connection, 'push');
  },
};

const NOTICE = record<PushNotice>({ user_id: 'integer', message_id: 'integer', is_withdrawn: 'boolean' });

/** @param condition the new due time, and the notices */
const withdraw = (condition: string) =>
  after(
    changes(`UPDATE push_notices SET is_withdrawn = 1, due_ms = ${condition} AND is_withdrawn = 0`),
    (isAny, connection) => {
      if (isAny) connection.concurrency?.announceDueWork();
      return isAny;
    },
  );

export const pushNotices: Queries<PushNoticeStore> = {
  add: ids(`
    INSERT INTO push_notices (user_id, message_id, due_ms, is_withdrawn)
    SELECT g.id, CAST(?1 AS BIGINT), CAST(?3 AS BIGINT), 0 FROM IDS(?2) AS g WHERE true ORDER BY g.id
    ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id`),
  count: count(`
    SELECT COUNT(*) AS count FROM (
      SELECT 1 FROM push_notices WHERE user_id = ? AND is_withdrawn = 0 LIMIT ?) AS notices`),
  standing: ids(`
    SELECT u.id AS user_id FROM messages m
    JOIN push_notices n ON n.message_id = m.id AND n.is_withdrawn = 0
    JOIN users u ON u.id = n.user_id
    WHERE m.id = ? AND n.user_id IN_IDS(?) AND u.is_active = 1 AND ${RECEIVES} ORDER BY u.id`),
  withdraw: withdraw('?3 WHERE user_id = ?1 AND message_id IN_IDS(?2)'),
  withdrawMessages: withdraw('?2 WHERE message_id IN_IDS(?1)'),
  nextDue: value('SELECT MIN(due_ms) AS at FROM push_notices'),
  takeDue: NOTICE.many(`
    WITH taken AS MATERIALIZED (
      SELECT user_id, message_id FROM push_notices WHERE due_ms <= ? ORDER BY due_ms LIMIT ? SKIP_LOCKED)
    DELETE FROM push_notices WHERE (user_id, message_id) IN (SELECT user_id, message_id FROM taken)
    RETURNING ${NOTICE.columns}`),
};
