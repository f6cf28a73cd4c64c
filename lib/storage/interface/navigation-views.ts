/** A place of the app that somebody has put into their sidebar, or taken out of it. */
export interface NavigationView {
  /** The part of its address after `#`. */
  fragment: string;
  is_pinned: boolean;
  /** null for a view that every app has, which names it itself. */
  name: string | null;
}

/** Every view belongs to one person, and is there for nobody else. */
export interface NavigationViewStore {
  /** Ordered by fragment. Whoever else asks this to change them waits until the transaction ends. */
  of(userId: number, options?: { toChange: boolean }): Promise<NavigationView[]>;
  /** Puts it in the place of the one with its fragment, if there is one. */
  set(userId: number, view: NavigationView): Promise<void>;
  /** False when there was none. */
  remove(userId: number, fragment: string): Promise<boolean>;
}
