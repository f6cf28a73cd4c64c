import type { PasswordReset, PasswordResetStore, SignInNetworkStore } from '../interface/sign-in.ts';
import { record } from './record.ts';
import { exists, ids, type Queries, run } from './store.ts';

const RESET = record<PasswordReset>({
  token_hash: 'text',
  user_id: 'integer',
  account_state: 'text',
  created_ms: 'integer',
  is_mailed: 'boolean',
});

const ADD_RESET = `INSERT INTO password_resets (${RESET.columns}) VALUES (${RESET.places})`;
const REMOVE_OLDER_RESETS = `
  DELETE FROM password_resets WHERE token_hash IN (
    SELECT token_hash FROM password_resets WHERE user_id = ?
    ORDER BY created_ms DESC, token_hash LIMIT 1000 OFFSET ?)`;

export const passwordResets: Queries<PasswordResetStore> = {
  byToken: RESET.one(`SELECT ${RESET.columns} FROM password_resets WHERE token_hash = ?`),
  mailedSince: ids(`
    SELECT created_ms FROM password_resets
    WHERE user_id = ? AND created_ms > ? AND is_mailed = 1 ORDER BY created_ms`),
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

export const signInNetworks: Queries<SignInNetworkStore> = {
  isKnown: exists('SELECT 1 AS one FROM sign_in_networks WHERE user_id = ? AND network = ? AND last_ms >= ?'),

  async remember(connection, userId, network, now, limit) {
    await connection.run(REMEMBER_NETWORK, [userId, network, now]);
    await connection.run(FORGET_OLDER_NETWORKS, [userId, userId, limit]);
  },
};
