/** A view of the app that a user has added to the sidebar, or removed from it. */
export interface NavigationView {
  /** Part of the URL after `#`. */
  fragment: string;
  is_pinned: boolean;
  /** null for a built-in view, which the app names. */
  name: string | null;
}

/** Every view belongs to one user. */
export interface NavigationViewStore {
  /** Ordered by fragment. With `toChange`, locks the views of the user until the transaction ends. */
  of(userId: number, options?: { toChange: boolean }): Promise<NavigationView[]>;
  /** Adds a view, or replaces the one with this fragment. */
  set(userId: number, view: NavigationView): Promise<void>;
  /** False if there is no such view. */
  remove(userId: number, fragment: string): Promise<boolean>;
}
