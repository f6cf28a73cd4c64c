import type { PasswordReset, PasswordResetStore } from '../interface/password-resets.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const RESET = record<PasswordReset>({
  token_hash: 'text',
  user_id: 'integer',
  account_state: 'text',
  created_ms: 'integer',
  is_mailed: 'boolean',
});

const BY_TOKEN = `SELECT ${RESET.columns} FROM password_resets WHERE token_hash = ?`;
const MAILED_SINCE = `
  SELECT created_ms FROM password_resets
  WHERE user_id = ? AND created_ms > ? AND is_mailed = 1 ORDER BY created_ms`;
const ADD = `INSERT INTO password_resets (${RESET.columns}) VALUES (${RESET.places})`;
const REMOVE_OLDER = `
  DELETE FROM password_resets WHERE token_hash IN (
    SELECT token_hash FROM password_resets WHERE user_id = ?
    ORDER BY created_ms DESC, token_hash LIMIT 1000 OFFSET ?)`;
const UNCOUNT = 'UPDATE password_resets SET is_mailed = 0 WHERE token_hash = ?';
const REMOVE = 'DELETE FROM password_resets WHERE user_id = ?';

export class SqlPasswordResets extends SqlStore implements PasswordResetStore {
  async byToken(tokenHash: string): Promise<PasswordReset | undefined> {
    return this.connection.one(RESET, BY_TOKEN, [tokenHash]);
  }

  async mailedSince(userId: number, since: number): Promise<number[]> {
    return this.connection.column(MAILED_SINCE, [userId, since]);
  }

  async add(reset: PasswordReset, limit: number): Promise<void> {
    await this.connection.run(ADD, RESET.values(reset));
    await this.connection.run(REMOVE_OLDER, [reset.user_id, limit]);
  }

  async uncount(tokenHash: string): Promise<void> {
    await this.connection.run(UNCOUNT, [tokenHash]);
  }

  async removeOf(userId: number): Promise<void> {
    await this.connection.run(REMOVE, [userId]);
  }
}
