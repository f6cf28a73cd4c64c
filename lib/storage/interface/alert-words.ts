/** Words that somebody wants to be alerted to, each once without regard to case. */
export interface AlertWordStore {
  /** In alphabetical order. */
  of(userId: number): Promise<string[]>;
  /** Words there already are left as they are. */
  add(userId: number, words: readonly string[]): Promise<void>;
  remove(userId: number, words: readonly string[]): Promise<void>;
  /** Words of anybody that begin with one of these openings (`rules/alert-words.ts`), in lower case, and whose they are. */
  openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]>;
}
