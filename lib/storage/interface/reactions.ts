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
  /** False if there is no such reaction. */
  remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Reaction[]>;
}
