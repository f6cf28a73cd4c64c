/** A link by which somebody who cannot sign in sets another password. */
export interface PasswordReset {
  /** Of the part of the link that nobody can guess; the part itself is not stored. */
  token_hash: string;
  user_id: number;
  /** Digest of what the account signs in with: another one makes the link useless. */
  account_state: string;
  created_ms: number;
  /** It went out by e-mail, of which an account gets only so many. */
  is_mailed: boolean;
}

export interface PasswordResetStore {
  byToken(tokenHash: string): Promise<PasswordReset | undefined>;
  /** When those of an account were made that went out by e-mail since then. */
  mailedSince(userId: number, since: number): Promise<number[]>;
  /** Keeps the newest `limit` of the account. */
  add(reset: PasswordReset, limit: number): Promise<void>;
  /** It could not be sent after all, or nobody knows: it does not count, and may be used. */
  uncount(tokenHash: string): Promise<void>;
  removeOf(userId: number): Promise<void>;
}
