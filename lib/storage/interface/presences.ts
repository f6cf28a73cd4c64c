/** When somebody was last there. */
export interface Seen {
  user_id: number;
  /** When a client last said that they were at work with it; null: never yet. */
  active_ms: number | null;
  /** When a client of theirs last reported at all; never before `active_ms`. */
  connected_ms: number;
}

export interface Presence extends Seen {
  /** Rises with every write, so that whoever knows everything up to one is told what changed after it. */
  update_id: number;
}

export interface PresenceStore {
  of(userId: number): Promise<Presence | undefined>;
  /** Written after this id, ordered by it; 0 gives everybody who ever reported. */
  changedSince(updateId: number): Promise<Presence[]>;
  /**
   * Takes over what was reported, each account once. Each of the times only moves forward: several processes
   * write, and one may be late. May run in a `shared` write; ids are in the order of commits all the same.
   */
  record(seen: readonly Seen[]): Promise<void>;
  /** Puts this in the place of whatever is known of the account. */
  replace(seen: Seen): Promise<void>;
}
