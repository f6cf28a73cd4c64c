import type { SignInNetworkStore } from '../interface/sign-in-networks.ts';
import { SqlStore } from './connection.ts';

const IS_KNOWN = 'SELECT 1 AS one FROM sign_in_networks WHERE user_id = ? AND network = ? AND last_ms >= ?';
const REMEMBER = `
  INSERT INTO sign_in_networks (user_id, network, last_ms) VALUES (?, ?, ?)
  ON CONFLICT (user_id, network) DO UPDATE SET last_ms = excluded.last_ms`;
const FORGET_OLDER = `
  DELETE FROM sign_in_networks WHERE user_id = ? AND network IN (
    SELECT network FROM sign_in_networks WHERE user_id = ?
    ORDER BY last_ms DESC, network LIMIT 1000 OFFSET ?)`;

export class SqlSignInNetworks extends SqlStore implements SignInNetworkStore {
  async isKnown(userId: number, network: string, since: number): Promise<boolean> {
    return (await this.connection.get(IS_KNOWN, [userId, network, since])) !== undefined;
  }

  async remember(userId: number, network: string, now: number, limit: number): Promise<void> {
    await this.connection.run(REMEMBER, [userId, network, now]);
    await this.connection.run(FORGET_OLDER, [userId, userId, limit]);
  }
}
