/** From where people signed in with the right password: network addresses, in a form that does not show them. */
export interface SignInNetworkStore {
  /** Whether the account was signed in to from there since then. */
  isKnown(userId: number, network: string, since: number): Promise<boolean>;
  /** Keeps the latest `limit` of the account. */
  remember(userId: number, network: string, now: number, limit: number): Promise<void>;
}
