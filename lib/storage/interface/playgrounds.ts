/** A code playground: a site that runs code of a language. */
export interface Playground {
  id: number;
  /** Unique for the language. */
  name: string;
  pygments_language: string;
  /** URI template (RFC 6570) with the variable `code`. */
  url_template: string;
}

export interface PlaygroundStore {
  /** Ordered by id. */
  all(): Promise<Playground[]>;
  create(playground: Omit<Playground, 'id'>): Promise<number>;
  /** False if there is no such playground. */
  remove(id: number): Promise<boolean>;
}
