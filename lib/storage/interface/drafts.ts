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
  update(userId: number, draft: Draft): Promise<boolean>;
  remove(userId: number, id: number): Promise<boolean>;
  removeAll(userId: number): Promise<void>;
}

export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
  date_created: number;
}

export interface SavedSnippetStore {
  /** Ordered by id. */
  of(userId: number): Promise<SavedSnippet[]>;
  get(userId: number, id: number): Promise<SavedSnippet | undefined>;
  /**
   * Number of snippets, and the characters of their texts. Locks the snippets of the user until the transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number>;
  update(
    userId: number,
    id: number,
    patch: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
  ): Promise<SavedSnippet | undefined>;
  remove(userId: number, id: number): Promise<boolean>;
}

/** A view of the app that a user has added to the sidebar, or removed from it. */
export interface NavigationView {
  /** Part of the URL after `#`. */
  fragment: string;
  is_pinned: boolean;
  /** null for a built-in view, which the app names. */
  name: string | null;
}

export interface NavigationViewStore {
  /** Ordered by fragment. With `toChange`, locks the views of the user until the transaction ends. */
  of(userId: number, options?: { toChange: boolean }): Promise<NavigationView[]>;
  /** Adds a view, or replaces the one with this fragment. */
  set(userId: number, view: NavigationView): Promise<void>;
  remove(userId: number, fragment: string): Promise<boolean>;
}
