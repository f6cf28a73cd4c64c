/** A pattern whose matches become links. */
export interface Linkifier {
  id: number;
  /** RE2 syntax with named groups `(?P<id>…)`. Unique. */
  pattern: string;
  /** URI template (RFC 6570) with the groups of the pattern as variables. */
  url_template: string;
}

/** Part of the organization record: every change raises its version. */
export interface LinkifierStore {
  /** In the order in which they are applied. */
  all(): Promise<Linkifier[]>;
  /** Added at the end of the order. */
  create(linkifier: Omit<Linkifier, 'id'>): Promise<number>;
  update(linkifier: Linkifier): Promise<void>;
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}
