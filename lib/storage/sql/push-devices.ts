import type {
  ActivePushDevice,
  NewPushDevice,
  PushDevice,
  PushDeviceStore,
  PushRegistrationRef,
} from '../interface/push-devices.ts';
import { SqlStore } from './connection.ts';
import { raisePushVersion } from './push-version.ts';
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

const OF_USER = `SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? ORDER BY id`;
const COUNT = 'SELECT COUNT(*) AS count FROM push_devices WHERE user_id = ?';
const BY_ID = `SELECT ${DEVICE.columns} FROM push_devices WHERE id = ?`;
const BY_ACCOUNT = `SELECT ${DEVICE.columns} FROM push_devices WHERE user_id = ? AND push_account_id = ?`;
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
  async of(userId: number): Promise<PushDevice[]> {
    return this.connection.many(DEVICE, OF_USER, [userId]);
  }

  async count(userId: number): Promise<number> {
    await this.connection.concurrency?.serializeReader(userId);
    return (await this.connection.value(COUNT, [userId])) ?? 0;
  }

  async byId(id: number): Promise<PushDevice | undefined> {
    return this.connection.one(DEVICE, BY_ID, [id]);
  }

  async byAccount(userId: number, pushAccountId: number): Promise<PushDevice | undefined> {
    return this.connection.one(DEVICE, BY_ACCOUNT, [userId, pushAccountId]);
  }

  async register({ user_id, push_account_id, token_kind, push_public_key }: NewPushDevice) {
    return this.connection.get<PushRegistrationRef>(REGISTER, [user_id, push_account_id, token_kind, push_public_key]);
  }

  async activate({ id, registration }: PushRegistrationRef, relayDeviceId: number): Promise<boolean> {
    const isChanged = (await this.connection.run(ACTIVATE, [relayDeviceId, id, registration])) > 0;
    if (isChanged) await raisePushVersion(this.connection);
    return isChanged;
  }

  async fail({ id, registration }: PushRegistrationRef, errorCode: string): Promise<boolean> {
    const failed = await this.connection.get<{ relay_device_id: number | null }>(FAIL, [errorCode, id, registration]);
    if (failed && failed.relay_device_id !== null) await raisePushVersion(this.connection);
    return failed !== undefined;
  }

  async failAll(userId: number, errorCode: string): Promise<PushDevice[]> {
    const failed = await this.connection.many(DEVICE, FAIL_ALL, [errorCode, userId]);
    if (failed.some(({ relay_device_id }) => relay_device_id !== null)) await raisePushVersion(this.connection);
    return failed.sort((one, other) => one.id - other.id);
  }

  async removeRelayed(relayDeviceIds: readonly number[]): Promise<number> {
    if (relayDeviceIds.length === 0) return 0;
    const removed = await this.connection.run(REMOVE_RELAYED, [JSON.stringify(relayDeviceIds)]);
    if (removed > 0) await raisePushVersion(this.connection);
    return removed;
  }

  async someOwners(among: { users: readonly number[] } | { channel: number }, limit: number): Promise<number[]> {
    const [sql, whom] =
      'channel' in among ? [OWNERS_IN_CHANNEL, among.channel] : [OWNERS_AMONG, JSON.stringify(among.users)];
    return this.connection.column(sql, [whom, limit, whom, limit, limit]);
  }

  async active(userIds: readonly number[]): Promise<ActivePushDevice[]> {
    if (userIds.length === 0) return [];
    return (await this.connection.many(DEVICE, ACTIVE, [JSON.stringify(userIds)])) as ActivePushDevice[];
  }
}
