/** What somebody lets others know of what they are doing. Texts may be empty, but not all of them. */
export interface UserStatus {
  user_id: number;
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

export interface UserStatusStore {
  /** Of everybody who has one, ordered by user. */
  all(): Promise<UserStatus[]>;
  of(userIds: readonly number[]): Promise<UserStatus[]>;
  /** One with neither text nor emoji is forgotten. */
  set(status: UserStatus): Promise<void>;
}
