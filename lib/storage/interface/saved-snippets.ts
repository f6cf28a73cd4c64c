/** A text that somebody keeps to use it in messages. */
export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
  /** Seconds. */
  date_created: number;
}

/** Every snippet belongs to one person, and is there for nobody else. */
export interface SavedSnippetStore {
  /** Ordered by id. */
  of(userId: number): Promise<SavedSnippet[]>;
  get(userId: number, id: number): Promise<SavedSnippet | undefined>;
  /**
   * How many there are, and the characters of all their texts. Whoever else asks this for the same person waits
   * until the transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number>;
  /** What it is then; undefined when there is none with this id. */
  update(
    userId: number,
    id: number,
    patch: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
  ): Promise<SavedSnippet | undefined>;
  /** False when there was none. */
  remove(userId: number, id: number): Promise<boolean>;
}
