import type {
  Linkifier,
  Organization,
  OrganizationFields,
  Playground,
  ProfileField,
  Versions,
} from '../../model/organization.ts';
export interface OrganizationStore {
  /** undefined until an organization has been created. */
  get(): Promise<Organization | undefined>;
  /**
   * The current versions. Throws if a newer process has applied a breaking migration.
   * @param answered called when the database has answered. A write may continue earlier with expected versions. If the
   *   answer differs, it runs again.
   */
  versions(answered?: () => void): Promise<Versions | undefined>;
  create(organization: OrganizationFields): Promise<void>;
  update(
    patch: Partial<Pick<Organization, 'name' | 'description' | 'settings' | 'web_push_generation'>>,
  ): Promise<void>;
}

/** A list that is part of the organization record: every change raises its version. */
export interface OrderedListStore<T extends Linkifier | ProfileField> {
  /** In their order. */
  all(): Promise<T[]>;
  /** Added at the end of the order. IDs of profile fields are never used again. */
  create(entry: Omit<T, 'id'>): Promise<number>;
  update(entry: T): Promise<void>;
  /** Of a profile field, deletes only the field. Delete its values with `users.dropProfileValues`. */
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}

export interface PlaygroundStore {
  /** Ordered by id. */
  all(): Promise<Playground[]>;
  create(playground: Omit<Playground, 'id'>): Promise<number>;
  remove(id: number): Promise<boolean>;
}

export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number | null;
  /** Path below the site. */
  source_url: string;
  /** Path of a still frame, for an animation. */
  still_url: string | null;
  deactivated: boolean;
}

export interface StoredImage {
  file_name: string;
  content_type: string;
  bytes: Uint8Array;
}

export interface CustomEmojiStore {
  /** Ordered by ID, including deactivated ones. */
  all(): Promise<CustomEmoji[]>;
  byId(id: number): Promise<CustomEmoji | undefined>;
  byName(name: string): Promise<CustomEmoji | undefined>;
  /** undefined if an active emoji has this name. */
  create(emoji: Omit<CustomEmoji, 'id' | 'deactivated'>): Promise<number | undefined>;
  deactivate(id: number): Promise<void>;
  count(): Promise<number>;
  /** `file_name` is the last part of the URL. */
  addImage(image: StoredImage): Promise<void>;
  image(fileName: string): Promise<StoredImage | undefined>;
}

/** The icon and the logos of the organization. */
export interface OrganizationPictureStore {
  /** Removes files, and adds others. */
  replace(fileNames: readonly string[], images: readonly StoredImage[]): Promise<void>;
  image(fileName: string): Promise<StoredImage | undefined>;
}
