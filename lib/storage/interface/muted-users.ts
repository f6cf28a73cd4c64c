/** Whom somebody has muted, and when: UNIX seconds. */
export interface MutedUser {
  id: number;
  timestamp: number;
}

/** While somebody is muted, and afterwards, what they have written counts as read, unless it is marked as unread. */
export interface MutedUserStore {
  /** Whom the user has muted, ordered by id. */
  of(userId: number): Promise<MutedUser[]>;
  /** Who has muted the user, ordered by id. */
  mutersOf(userId: number): Promise<number[]>;
  /** The newest message there was when the user was muted for the last time; 0 for never. */
  mutedUntil(userId: number, mutedUserId: number): Promise<number>;
  /** False when the user was muted already. */
  add(userId: number, muted: MutedUser): Promise<boolean>;
  /** False when the user was not muted. */
  remove(userId: number, mutedUserId: number): Promise<boolean>;
}
