/** An unsent message. */
export interface Draft {
  id: number;
  /** Empty if it has no recipient yet. */
  type: '' | 'private' | 'stream';
  /** The channel ID, or user IDs. */
  to: number[];
  topic: string;
  content: string;
  /** Time of the last edit in seconds, as sent by the client. */
  timestamp: number;
}

/** Every draft belongs to one user. */
export interface DraftStore {
  /** Last edited first. */
  of(userId: number): Promise<Draft[]>;
  get(userId: number, id: number): Promise<Draft | undefined>;
  /**
   * Number of drafts, and the characters of their texts and recipients. Locks the drafts of the user until the
   * transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  /** Returns the IDs in the same order. */
  add(userId: number, drafts: readonly Omit<Draft, 'id'>[]): Promise<number[]>;
  /** False if there is no such draft. */
  update(userId: number, draft: Draft): Promise<boolean>;
  /** False if there is no such draft. */
  remove(userId: number, id: number): Promise<boolean>;
  removeAll(userId: number): Promise<void>;
}
