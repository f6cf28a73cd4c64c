import type { PushTokenRecord, PushTokenStore } from '../interface/push-tokens.ts';
import type { Connection } from './connection.ts';
import { record } from './record.ts';

const TOKEN = record<PushTokenRecord>({
  user_id: 'integer',
  kind: 'text',
  token: 'text',
  ios_app_id: 'text',
});

const OF_USER = `SELECT ${TOKEN.columns} FROM push_tokens WHERE user_id = ?`;
const ADD = `
  INSERT INTO push_tokens (${TOKEN.columns}) VALUES (${TOKEN.places})
  ON CONFLICT (user_id, kind, token) DO UPDATE SET ios_app_id = excluded.ios_app_id`;
const REMOVE = 'DELETE FROM push_tokens WHERE user_id = ? AND kind = ? AND token = ?';
const REMOVE_ALL = 'DELETE FROM push_tokens WHERE user_id = ?';

export class SqlPushTokens implements PushTokenStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async of(userId: number): Promise<PushTokenRecord[]> {
    const tokens = await this.#connection.many(TOKEN, OF_USER, [userId]);
    // Engines differ in how they order texts.
    const key = ({ kind, token }: PushTokenRecord) => `${kind} ${token}`;
    return tokens.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  }

  async add(token: PushTokenRecord): Promise<void> {
    await this.#connection.run(ADD, TOKEN.values(token));
  }

  async remove({ user_id, kind, token }: Omit<PushTokenRecord, 'ios_app_id'>): Promise<boolean> {
    return (await this.#connection.run(REMOVE, [user_id, kind, token])) > 0;
  }

  async removeOf(userId: number): Promise<void> {
    await this.#connection.run(REMOVE_ALL, [userId]);
  }
}
