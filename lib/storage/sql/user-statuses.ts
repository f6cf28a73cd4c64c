import type { UserStatus, UserStatusStore } from '../interface/user-statuses.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const STATUS = record<UserStatus>({
  user_id: 'integer',
  status_text: 'text',
  emoji_name: 'text',
  emoji_code: 'text',
  reaction_type: 'text',
});

const ALL = `SELECT ${STATUS.columns} FROM user_statuses ORDER BY user_id`;
const OF_USERS = `SELECT ${STATUS.columns} FROM user_statuses WHERE user_id IN_IDS(?) ORDER BY user_id`;
const SET = `
  INSERT INTO user_statuses (${STATUS.columns}) VALUES (${STATUS.places})
  ON CONFLICT (user_id) DO UPDATE SET status_text = excluded.status_text, emoji_name = excluded.emoji_name,
    emoji_code = excluded.emoji_code, reaction_type = excluded.reaction_type`;
const FORGET = 'DELETE FROM user_statuses WHERE user_id = ?';

export class SqlUserStatuses extends SqlStore implements UserStatusStore {
  async all(): Promise<UserStatus[]> {
    return this.connection.many(STATUS, ALL);
  }

  async of(userIds: readonly number[]): Promise<UserStatus[]> {
    if (userIds.length === 0) return [];
    return this.connection.many(STATUS, OF_USERS, [JSON.stringify(userIds)]);
  }

  async set(status: UserStatus): Promise<void> {
    if (status.status_text === '' && status.emoji_name === '') await this.connection.run(FORGET, [status.user_id]);
    else await this.connection.run(SET, STATUS.values(status));
  }
}
