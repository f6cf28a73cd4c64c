/** Whom people have to do with: whoever shares a channel with them, or takes part in a direct conversation with them. */
export interface AcquaintanceStore {
  /**
   * Accounts that a guest kept from seeing everybody sees: bots, active subscribers of the guest's channels,
   * and everybody in their direct conversations.
   */
  visibleTo(guestId: number): Promise<number[]>;
  /** Of these guests and these accounts, those who have to do with each other; nobody with themselves. */
  between(guestIds: readonly number[], userIds: readonly number[]): Promise<{ guest_id: number; user_id: number }[]>;
}
