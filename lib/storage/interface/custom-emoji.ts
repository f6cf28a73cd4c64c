/** A picture of the organization's own that stands for a name. */
export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number | null;
  /** Path below the site. */
  source_url: string;
  /** A still frame of an animation. */
  still_url: string | null;
  deactivated: boolean;
}

export interface EmojiImage {
  file_name: string;
  content_type: string;
  bytes: Uint8Array;
}

export interface CustomEmojiStore {
  /** Ordered by id, deactivated ones included. */
  all(): Promise<CustomEmoji[]>;
  byId(id: number): Promise<CustomEmoji | undefined>;
  /** The one in use under the name. */
  byName(name: string): Promise<CustomEmoji | undefined>;
  /** Undefined when the name is in use. */
  create(emoji: Omit<CustomEmoji, 'id' | 'deactivated'>): Promise<number | undefined>;
  deactivate(id: number): Promise<void>;
  count(): Promise<number>;
  /** `file_name` is the last part of an emoji's address. */
  addImage(image: EmojiImage): Promise<void>;
  image(fileName: string): Promise<EmojiImage | undefined>;
}
