/** A saved text for use in messages. */
export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
  /** Seconds. */
  date_created: number;
}

/** Every snippet belongs to one user. */
export interface SavedSnippetStore {
  /** Ordered by id. */
  of(userId: number): Promise<SavedSnippet[]>;
  get(userId: number, id: number): Promise<SavedSnippet | undefined>;
  /**
   * Number of snippets, and the characters of their texts. Locks the snippets of the user until the transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number>;
  /** Returns the updated snippet. undefined if there is no such snippet. */
  update(
    userId: number,
    id: number,
    patch: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
  ): Promise<SavedSnippet | undefined>;
  /** False if there is no such snippet. */
  remove(userId: number, id: number): Promise<boolean>;
}
