/** A confirmation link for an e-mail address, needed to join with a reusable invitation link. */
export interface EmailVerification {
  /** Hash of the key in the link. The key itself is not stored. */
  key_hash: string;
  invitation_id: number;
  email: string;
  created_ms: number;
  /** Sent by e-mail. The number of e-mails per address is limited. */
  is_mailed: boolean;
  /** A user has joined with the address. */
  is_used: boolean;
}

export interface EmailVerificationStore {
  byKeyHash(hash: string): Promise<EmailVerification | undefined>;
  /** Creation times of the links mailed to an address since a time. */
  mailedSince(email: string, since: number): Promise<number[]>;
  add(proof: EmailVerification): Promise<void>;
  /** The e-mail was not sent, or this is unknown: it does not count against the limit, but the link stays valid. */
  uncount(keyHash: string): Promise<void>;
  /** A user has joined with the address: all links to it become invalid. */
  use(email: string): Promise<void>;
  /** Creation time of the oldest link. */
  oldest(): Promise<number | undefined>;
  /** Deletes at most `limit` links created before a time, oldest first; returns their number. */
  removeBefore(ms: number, limit: number): Promise<number>;
}
