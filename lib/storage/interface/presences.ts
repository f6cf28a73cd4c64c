import type { LastPresence, Presence, UserStatus } from '../../model/users.ts';
export interface PresenceStore {
  of(userId: number): Promise<Presence | undefined>;
  /** Presences written after this update ID, ordered by it. 0: all. */
  changedSince(updateId: number): Promise<Presence[]>;
  /**
   * Stores reports, at most one per account. Times only move forward, since another process may write later. May run in
   * a `shared` write. Update IDs are in commit order nevertheless.
   */
  record(seen: readonly LastPresence[]): Promise<void>;
  replace(seen: LastPresence): Promise<void>;
}

export interface UserStatusStore {
  /** All statuses, ordered by user. */
  all(): Promise<UserStatus[]>;
  of(userIds: readonly number[]): Promise<UserStatus[]>;
  /** Sets a status. Deletes one without text and emoji. */
  set(status: UserStatus): Promise<void>;
}
