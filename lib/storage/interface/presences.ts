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
