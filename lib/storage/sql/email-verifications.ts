import { fold } from '../../rules/fold.ts';
import type { EmailVerification, EmailVerificationStore } from '../interface/email-verifications.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const PROOF = record<EmailVerification>({
  key_hash: 'text',
  invitation_id: 'integer',
  email: 'text',
  created_ms: 'integer',
  is_mailed: 'boolean',
  is_used: 'boolean',
});

const BY_KEY_HASH = `SELECT ${PROOF.columns} FROM address_proofs WHERE key_hash = ?`;
const MAILED_SINCE = `
  SELECT created_ms FROM address_proofs WHERE email_key = ? AND created_ms > ? AND is_mailed = 1 ORDER BY created_ms`;
const ADD = `INSERT INTO address_proofs (${PROOF.columns}, email_key) VALUES (${PROOF.places}, ?)`;
const UNCOUNT = 'UPDATE address_proofs SET is_mailed = 0 WHERE key_hash = ?';
const USE = 'UPDATE address_proofs SET is_used = 1 WHERE email_key = ?';
const OLDEST = 'SELECT MIN(created_ms) AS at FROM address_proofs';
const REMOVE_BEFORE = `
  DELETE FROM address_proofs WHERE key_hash IN (
    SELECT key_hash FROM address_proofs WHERE created_ms < ? ORDER BY created_ms LIMIT ? SKIP_LOCKED)`;

export class SqlEmailVerifications extends SqlStore implements EmailVerificationStore {
  async byKeyHash(hash: string): Promise<EmailVerification | undefined> {
    return this.connection.one(PROOF, BY_KEY_HASH, [hash]);
  }

  async mailedSince(email: string, since: number): Promise<number[]> {
    const sent = await this.connection.all<{ created_ms: number }>(MAILED_SINCE, [fold(email), since]);
    return sent.map(({ created_ms }) => created_ms);
  }

  async add(proof: EmailVerification): Promise<void> {
    await this.connection.run(ADD, [...PROOF.values(proof), fold(proof.email)]);
  }

  async uncount(keyHash: string): Promise<void> {
    await this.connection.run(UNCOUNT, [keyHash]);
  }

  async use(email: string): Promise<void> {
    await this.connection.run(USE, [fold(email)]);
  }

  async oldest(): Promise<number | undefined> {
    return this.connection.value(OLDEST);
  }

  async removeBefore(ms: number, limit: number): Promise<number> {
    return this.connection.run(REMOVE_BEFORE, [ms, limit]);
  }
}
