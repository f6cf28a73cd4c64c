import type { MutedUser, MutedUserStore } from '../interface/muted-users.ts';
import { SqlStore } from './connection.ts';
import { raiseReadersVersion } from './readers-version.ts';
import { record } from './record.ts';

const MUTED_USER = record<MutedUser>({ id: { column: 'muted_user_id' }, timestamp: 'integer' });

const OF_USER = `
  SELECT ${MUTED_USER.columns} FROM muted_users WHERE user_id = ? AND until_message_id IS NULL ORDER BY muted_user_id`;
const MUTERS = `
  SELECT user_id AS id FROM muted_users WHERE muted_user_id = ? AND until_message_id IS NULL ORDER BY user_id`;
const MUTED_UNTIL = 'SELECT until_message_id AS id FROM muted_users WHERE user_id = ? AND muted_user_id = ?';
const ADD = `
  INSERT INTO muted_users (user_id, ${MUTED_USER.columns}) VALUES (?, ${MUTED_USER.places})
  ON CONFLICT (user_id, muted_user_id) DO UPDATE SET timestamp = excluded.timestamp, until_message_id = NULL
  WHERE muted_users.until_message_id IS NOT NULL`;
const REMOVE = `
  UPDATE muted_users SET until_message_id = (SELECT COALESCE(MAX(id), 0) FROM messages)
  WHERE user_id = ? AND muted_user_id = ? AND until_message_id IS NULL`;

export class SqlMutedUsers extends SqlStore implements MutedUserStore {
  async of(userId: number): Promise<MutedUser[]> {
    return this.connection.many(MUTED_USER, OF_USER, [userId]);
  }

  async mutersOf(userId: number): Promise<number[]> {
    return this.connection.column(MUTERS, [userId]);
  }

  async mutedUntil(userId: number, mutedUserId: number): Promise<number> {
    return (await this.connection.value(MUTED_UNTIL, [userId, mutedUserId])) ?? 0;
  }

  async add(userId: number, muted: MutedUser): Promise<boolean> {
    if ((await this.connection.run(ADD, [userId, ...MUTED_USER.values(muted)])) === 0) return false;
    await raiseReadersVersion(this.connection);
    return true;
  }

  async remove(userId: number, mutedUserId: number): Promise<boolean> {
    if ((await this.connection.run(REMOVE, [userId, mutedUserId])) === 0) return false;
    await raiseReadersVersion(this.connection);
    return true;
  }
}
