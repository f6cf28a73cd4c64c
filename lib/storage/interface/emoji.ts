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

export interface EmojiImage {
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
  addImage(image: EmojiImage): Promise<void>;
  image(fileName: string): Promise<EmojiImage | undefined>;
}

export type ReactionType = 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';

export interface Reaction {
  message_id: number;
  user_id: number;
  reaction_type: ReactionType;
  emoji_code: string;
  emoji_name: string;
}

export interface ReactionStore {
  add(reaction: Reaction): Promise<'added' | 'exists'>;
  remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Reaction[]>;
}
