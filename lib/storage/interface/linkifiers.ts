/** Text of this form becomes a link. */
export interface Linkifier {
  id: number;
  /** RE2 syntax, groups named `(?P<id>…)`; unique. */
  pattern: string;
  /** RFC 6570, with the pattern's groups as variables. */
  url_template: string;
}

/** Part of the organization's record: every change raises its version. */
export interface LinkifierStore {
  /** In the order in which they are tried. */
  all(): Promise<Linkifier[]>;
  /** Tried after all others. */
  create(linkifier: Omit<Linkifier, 'id'>): Promise<number>;
  update(linkifier: Linkifier): Promise<void>;
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}
