/** Last presence of a user. */
export interface LastPresence {
  user_id: number;
  /** Time of the last report of an active client. null: never. */
  active_ms: number | null;
  /** Time of the last report of any client. Never before `active_ms`. */
  connected_ms: number;
}

export interface Presence extends LastPresence {
  /** Rises with every write, so that clients can fetch only newer changes. */
  update_id: number;
}

export interface PresenceStore {
  of(userId: number): Promise<Presence | undefined>;
  /** Presences written after this update ID, ordered by it. 0: all. */
  changedSince(updateId: number): Promise<Presence[]>;
  /**
   * Stores reports, at most one per account. Times only move forward, since another process may write later. May run in
   * a `shared` write. Update IDs are in commit order nevertheless.
   */
  record(seen: readonly LastPresence[]): Promise<void>;
  /** Replaces the presence of the account. */
  replace(seen: LastPresence): Promise<void>;
}

/** Status of a user. Texts may be empty, but not all of them. */
export interface UserStatus {
  user_id: number;
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

export interface UserStatusStore {
  /** All statuses, ordered by user. */
  all(): Promise<UserStatus[]>;
  of(userIds: readonly number[]): Promise<UserStatus[]>;
  /** Sets a status. Deletes one without text and emoji. */
  set(status: UserStatus): Promise<void>;
}
