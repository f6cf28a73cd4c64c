import type { PushTokenKind } from '../interface/push-devices.ts';
import type { PushTokenRecord, PushTokenStore } from '../interface/push-tokens.ts';
import { SqlStore } from './connection.ts';
import { raisePushVersion } from './push-version.ts';
import { record } from './record.ts';

const TOKEN = record<PushTokenRecord>({
  user_id: 'integer',
  kind: 'text',
  token: 'text',
  ios_app_id: 'text',
});

const OF_USERS = `SELECT ${TOKEN.columns} FROM push_tokens WHERE user_id IN_IDS(?)`;
const ADD = `INSERT INTO push_tokens (${TOKEN.columns}) VALUES (${TOKEN.places}) ON CONFLICT DO NOTHING`;
const SET_APP = 'UPDATE push_tokens SET ios_app_id = ? WHERE user_id = ? AND kind = ? AND token = ?';
const REMOVE = 'DELETE FROM push_tokens WHERE user_id = ? AND kind = ? AND token IN_TEXTS(?)';
const REMOVE_ALL = `DELETE FROM push_tokens WHERE user_id = ? RETURNING ${TOKEN.columns}`;

export class SqlPushTokens extends SqlStore implements PushTokenStore {
  async of(userId: number): Promise<PushTokenRecord[]> {
    return this.ofAll([userId]);
  }

  async ofAll(userIds: readonly number[]): Promise<PushTokenRecord[]> {
    if (userIds.length === 0) return [];
    return ordered(await this.connection.many(TOKEN, OF_USERS, [JSON.stringify(userIds)]));
  }

  async add(token: PushTokenRecord): Promise<void> {
    const { user_id, kind, token: name, ios_app_id } = token;
    if ((await this.connection.run(ADD, TOKEN.values(token))) > 0) await raisePushVersion(this.connection);
    else await this.connection.run(SET_APP, [ios_app_id, user_id, kind, name]);
  }

  async remove(userId: number, kind: PushTokenKind, tokens: readonly string[]): Promise<number> {
    if (tokens.length === 0) return 0;
    const removed = await this.connection.run(REMOVE, [userId, kind, JSON.stringify(tokens)]);
    if (removed > 0) await raisePushVersion(this.connection);
    return removed;
  }

  async removeOf(userId: number): Promise<PushTokenRecord[]> {
    const removed = await this.connection.many(TOKEN, REMOVE_ALL, [userId]);
    if (removed.length > 0) await raisePushVersion(this.connection);
    return ordered(removed);
  }
}

/** Engines differ in how they order texts. */
function ordered(tokens: PushTokenRecord[]): PushTokenRecord[] {
  const key = ({ kind, token }: PushTokenRecord) => `${kind} ${token}`;
  return tokens.sort((one, other) => one.user_id - other.user_id || (key(one) < key(other) ? -1 : 1));
}
