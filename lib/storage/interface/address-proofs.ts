/** A link, sent to an address, by which whoever reads its mail joins with an invitation that is for many. */
export interface AddressProof {
  /** Of the key that the link ends in; the key itself is not stored. */
  key_hash: string;
  invitation_id: number;
  email: string;
  created_ms: number;
  /** It went out by e-mail, of which an address gets only so many. */
  is_mailed: boolean;
  /** Somebody has joined with the address. */
  is_used: boolean;
}

export interface AddressProofStore {
  byKeyHash(hash: string): Promise<AddressProof | undefined>;
  /** When those for an address were made that went out by e-mail since then. */
  mailedSince(email: string, since: number): Promise<number[]>;
  add(proof: AddressProof): Promise<void>;
  /** It could not be sent after all, or nobody knows: it does not count, and may be used. */
  uncount(keyHash: string): Promise<void>;
  /** Somebody has joined with the address: no link to it works any more. */
  use(email: string): Promise<void>;
  /** When the oldest was made. */
  oldest(): Promise<number | undefined>;
  /** Removes so many of those made before a time, the oldest first; returns how many. */
  removeBefore(ms: number, limit: number): Promise<number>;
}
