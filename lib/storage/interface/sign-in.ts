export interface PasswordReset {
  /** Hash of the token in the link. The token itself is not stored. */
  token_hash: string;
  user_id: number;
  /** Digest of the credentials of the account. When they change, the link becomes invalid. */
  account_state: string;
  created_ms: number;
  /** Sent by e-mail. The number of e-mails per account is limited. */
  is_mailed: boolean;
}

export interface PasswordResetStore {
  byToken(tokenHash: string): Promise<PasswordReset | undefined>;
  /** Creation times of the links mailed to an account since a time. */
  mailedSince(userId: number, since: number): Promise<number[]>;
  /** Adds a link and keeps only the newest `limit` of the account. */
  add(reset: PasswordReset, limit: number): Promise<void>;
  /** The e-mail was not sent, or this is unknown: it does not count against the limit, but the link stays valid. */
  uncount(tokenHash: string): Promise<void>;
  removeOf(userId: number): Promise<void>;
}

/** Network addresses of successful password sign-ins, as digests. */
export interface SignInNetworkStore {
  /** Whether there was a sign-in to the account from this network since a time. */
  isKnown(userId: number, network: string, since: number): Promise<boolean>;
  /** Records a sign-in. Keeps only the latest `limit` networks of the account. */
  remember(userId: number, network: string, now: number, limit: number): Promise<void>;
}
