/** Alert words of users. A word is unique per user without regard to case. */
export interface AlertWordStore {
  /** In alphabetical order. */
  of(userId: number): Promise<string[]>;
  /** Existing words are not changed. */
  add(userId: number, words: readonly string[]): Promise<void>;
  remove(userId: number, words: readonly string[]): Promise<void>;
  /** Words of all users that start with one of these lower-case openings (`rules/alert-words.ts`), with their users. */
  openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]>;
}
