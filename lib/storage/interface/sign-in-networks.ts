/** Network addresses of successful password sign-ins, as digests. */
export interface SignInNetworkStore {
  /** Whether there was a sign-in to the account from this network since a time. */
  isKnown(userId: number, network: string, since: number): Promise<boolean>;
  /** Records a sign-in. Keeps only the latest `limit` networks of the account. */
  remember(userId: number, network: string, now: number, limit: number): Promise<void>;
}
