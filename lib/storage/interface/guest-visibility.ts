/** Users who share a channel or a direct conversation. Restricted guests see only these users. */
export interface GuestVisibilityStore {
  /**
   * Accounts that a restricted guest can see: bots, active subscribers of the guest's channels, and all participants of
   * their direct conversations.
   */
  visibleTo(guestId: number): Promise<number[]>;
  /** Pairs of these guests and users who share a channel or conversation, without pairs of the same user. */
  between(guestIds: readonly number[], userIds: readonly number[]): Promise<{ guest_id: number; user_id: number }[]>;
}
