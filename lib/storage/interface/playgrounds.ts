/** A site that runs code of a language. */
export interface Playground {
  id: number;
  /** Unique among those of the language. */
  name: string;
  pygments_language: string;
  /** RFC 6570, with the variable `code`. */
  url_template: string;
}

export interface PlaygroundStore {
  /** Ordered by id. */
  all(): Promise<Playground[]>;
  create(playground: Omit<Playground, 'id'>): Promise<number>;
  /** False when there was none. */
  remove(id: number): Promise<boolean>;
}
