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
