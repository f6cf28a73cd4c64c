/** A message that somebody has begun to write. */
export interface Draft {
  id: number;
  /** Empty where it is not addressed yet. */
  type: '' | 'private' | 'stream';
  /** The channel, or the people by id. */
  to: number[];
  topic: string;
  content: string;
  /** Seconds: when it was last edited, as its client says. */
  timestamp: number;
}

/** Every draft belongs to one person, and is there for nobody else. */
export interface DraftStore {
  /** The one edited last comes first. */
  of(userId: number): Promise<Draft[]>;
  get(userId: number, id: number): Promise<Draft | undefined>;
  /**
   * How many there are, and the characters of all their texts and addresses. Whoever else asks this for the same
   * person waits until the transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  /** Returns their ids, in their order. */
  add(userId: number, drafts: readonly Omit<Draft, 'id'>[]): Promise<number[]>;
  /** False when there is none with this id. */
  update(userId: number, draft: Draft): Promise<boolean>;
  /** False when there was none with this id. */
  remove(userId: number, id: number): Promise<boolean>;
  removeAll(userId: number): Promise<void>;
}
