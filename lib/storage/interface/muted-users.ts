/** A muted user, and the time of muting in UNIX seconds. */
export interface MutedUser {
  id: number;
  timestamp: number;
}

/** Messages that a user sends while muted count as read, also after unmuting, unless they are marked as unread. */
export interface MutedUserStore {
  /** Users muted by the user, ordered by ID. */
  of(userId: number): Promise<MutedUser[]>;
  /** Users who have muted the user, ordered by ID. */
  mutersOf(userId: number): Promise<number[]>;
  /** The newest message when the user was last unmuted. 0 if the user was never unmuted, or is muted now. */
  mutedUntil(userId: number, mutedUserId: number): Promise<number>;
  /** False if the user was already muted. */
  add(userId: number, muted: MutedUser): Promise<boolean>;
  /** False if the user was not muted. */
  remove(userId: number, mutedUserId: number): Promise<boolean>;
}
