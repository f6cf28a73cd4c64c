export interface MutedUser {
  id: number;
  timestamp: number;
}

/** Messages that a user sends while muted count as read, also after unmuting, unless they are marked as unread. */
export interface MutedUserStore {
  of(userId: number): Promise<MutedUser[]>;
  /** Users who have muted the user, ordered by ID. */
  mutersOf(userId: number): Promise<number[]>;
  /** The newest message when the user was last unmuted. 0 if the user was never unmuted, or is muted now. */
  mutedUntil(userId: number, mutedUserId: number): Promise<number>;
  /** False if the user was already muted. */
  add(userId: number, muted: MutedUser): Promise<boolean>;
  remove(userId: number, mutedUserId: number): Promise<boolean>;
}

/** Alert words of users. A word is unique per user without regard to case. */
export interface AlertWordStore {
  /** In alphabetical order. */
  of(userId: number): Promise<string[]>;
  /** Existing words are not changed. */
  add(userId: number, words: readonly string[]): Promise<void>;
  remove(userId: number, words: readonly string[]): Promise<void>;
  /** Words of all users that start with one of these lower-case openings (`rules/alert-words.ts`), with their users. */
  openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]>;
}
