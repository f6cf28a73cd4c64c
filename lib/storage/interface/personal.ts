import type { VisibilityPolicy } from '../../rules/topics.ts';
import type { Conversation } from './conversations.ts';

export interface Draft {
  id: number;
  /** Empty if it has no recipient yet. */
  type: '' | 'private' | 'stream';
  /** The channel ID, or user IDs. */
  to: number[];
  topic: string;
  content: string;
  /** Time of the last edit in seconds, as sent by the client. */
  timestamp: number;
}

export interface DraftStore {
  /** Last edited first. */
  of(userId: number): Promise<Draft[]>;
  get(userId: number, id: number): Promise<Draft | undefined>;
  /**
   * Number of drafts, and the characters of their texts and recipients. Locks the drafts of the user until the
   * transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  /** Returns the IDs in the same order. */
  add(userId: number, drafts: readonly Omit<Draft, 'id'>[]): Promise<number[]>;
  update(userId: number, draft: Draft): Promise<boolean>;
  remove(userId: number, id: number): Promise<boolean>;
  removeAll(userId: number): Promise<void>;
}

export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
  date_created: number;
}

export interface SavedSnippetStore {
  /** Ordered by id. */
  of(userId: number): Promise<SavedSnippet[]>;
  get(userId: number, id: number): Promise<SavedSnippet | undefined>;
  /**
   * Number of snippets, and the characters of their texts. Locks the snippets of the user until the transaction ends.
   */
  size(userId: number): Promise<{ count: number; characters: number }>;
  add(userId: number, snippet: Omit<SavedSnippet, 'id'>): Promise<number>;
  update(
    userId: number,
    id: number,
    patch: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
  ): Promise<SavedSnippet | undefined>;
  remove(userId: number, id: number): Promise<boolean>;
}

/** A view of the app that a user has added to the sidebar, or removed from it. */
export interface NavigationView {
  /** Part of the URL after `#`. */
  fragment: string;
  is_pinned: boolean;
  /** null for a built-in view, which the app names. */
  name: string | null;
}

export interface NavigationViewStore {
  /** Ordered by fragment. With `toChange`, locks the views of the user until the transaction ends. */
  of(userId: number, options?: { toChange: boolean }): Promise<NavigationView[]>;
  /** Adds a view, or replaces the one with this fragment. */
  set(userId: number, view: NavigationView): Promise<void>;
  remove(userId: number, fragment: string): Promise<boolean>;
}

export interface MutedUser {
  id: number;
  timestamp: number;
  /** Default false. */
  is_blocked?: boolean;
}

/** A user, and a user that they block. */
export interface Block {
  user_id: number;
  blocked_id: number;
}

/** Messages that a user sends while muted count as read, also after unmuting, unless they are marked as unread. */
export interface MutedUserStore {
  /** Ordered by ID. Includes blocked users. */
  of(userId: number): Promise<Required<MutedUser>[]>;
  /** Users who have muted the user, ordered by ID. */
  mutersOf(userId: number): Promise<number[]>;
  /** The newest message when the user was last unmuted. 0 if the user was never unmuted, or is muted now. */
  mutedUntil(userId: number, mutedUserId: number): Promise<number>;
  /** The blocks of these users against those users. */
  blocksAmong(userIds: readonly number[], blockedIds: readonly number[]): Promise<Block[]>;
  /** The blocks against these users and their bots. */
  blocksOf(blockedIds: readonly number[]): Promise<Block[]>;
  /** Mutes or blocks a user. False if the user was already muted, or already blocked. */
  add(userId: number, muted: MutedUser): Promise<boolean>;
  /** Ends the mute, and the block. */
  remove(userId: number, mutedUserId: number): Promise<boolean>;
  /** Ends blocks among these users as `remove` does. Returns the users who had one, ordered by ID. */
  endBlocks(userIds: readonly number[], blockedIds: readonly number[]): Promise<number[]>;
}

/** Alert words of users. A word is unique per user without regard to case. */
export interface AlertWordStore {
  /** In alphabetical order. */
  of(userId: number): Promise<string[]>;
  /** Existing words are not changed. */
  add(userId: number, words: readonly string[]): Promise<void>;
  remove(userId: number, words: readonly string[]): Promise<void>;
  /** Words of all users that start with one of these lower-case openings (`rules/alert-words.ts`), with their users. */
  openingWith(openings: readonly string[]): Promise<{ word: string; user_ids: number[] }[]>;
}

/** Visibility policy of a user for a topic, if it differs from that of the channel. */
export interface UserTopic {
  user_id: number;
  channel_id: number;
  /** As first given; compared without regard to case. */
  topic: string;
  visibility_policy: Exclude<VisibilityPolicy, 0>;
  last_updated: number;
}

export type TopicPlace = Pick<Conversation, 'id' | 'channel_id' | 'topic'>;

export type TopicName = Pick<UserTopic, 'channel_id' | 'topic'>;

/** Decides whether participation in a topic changes the user's policy for it. */
export interface TopicStanding {
  /** 0 if nothing is stored. */
  visibility_policy: VisibilityPolicy;
  is_channel_muted: boolean;
  /** The topic has messages, or received messages if only these were requested. */
  has_messages: boolean;
}

export interface UserTopicStore {
  /** Ordered by channel and topic. */
  ofUser(userId: number): Promise<UserTopic[]>;
  get(userId: number, name: TopicName): Promise<UserTopic | undefined>;
  count(userId: number): Promise<number>;
  /** At most `limit` policies of these users in channels, ordered by user and topic. */
  inChannels(channelIds: readonly number[], userIds: readonly number[], limit: number): Promise<UserTopic[]>;
  /** Policies of all users for the topics, including deactivated accounts. Ordered by user. */
  ofTopics(names: readonly TopicName[]): Promise<UserTopic[]>;
  /** Policies for one topic, ordered by user: at most `limit` of users with IDs above `after`. */
  ofTopic(name: TopicName, after: number, limit: number): Promise<UserTopic[]>;
  /** Subscribers who have notices of the resolved topic as unread, by their settings. Not bots. Ascending. */
  wantingResolveNotices(name: TopicName): Promise<number[]>;
  standing(userId: number, conversation: TopicPlace, options?: { receivedOnly?: boolean }): Promise<TopicStanding>;
  set(userIds: readonly number[], topic: Omit<UserTopic, 'user_id'>): Promise<void>;
  /**
   * Sets the policy "followed" for those of the users who have the flag `mentioned` on the message. They must be
   * active, must not have muted the topic, and must have chosen to follow topics that mention them. Returns the IDs of
   * users who did not follow it before, sorted.
   */
  followWhereMentioned(
    messageId: number,
    userIds: readonly number[],
    topic: TopicName & { last_updated: number },
  ): Promise<number[]>;
  /** Moves the policies of the users from one topic to another. They must have none for `to`, unless it is the same. */
  move(userIds: readonly number[], from: TopicName, to: TopicName & { last_updated: number }): Promise<void>;
  remove(userIds: readonly number[], name: TopicName): Promise<void>;
}

interface BotStorageEntry {
  key: string;
  value: string;
}

/** An entry with its size in a response. */
export interface SizedBotStorageEntry extends BotStorageEntry {
  bytes: number;
}

export interface BotStorageSize {
  entries: number;
  bytes: number;
}

export interface BotStorageSizes {
  all: BotStorageSize;
  /** Size of each requested entry. Keys without an entry are left out. */
  named: { key: string; bytes: number }[];
}

/** Every entry belongs to one account. */
export interface BotStorageStore {
  /** All entries, or those with these keys. Ordered by key. */
  of(userId: number, keys?: readonly string[]): Promise<BotStorageEntry[]>;
  /** Call it before a change: it locks the entries of the account until the transaction ends. */
  sizes(userId: number, keys: readonly string[]): Promise<BotStorageSizes>;
  /** Adds or replaces entries. Keys must be unique. @param size the new size of the account's storage */
  set(userId: number, entries: readonly SizedBotStorageEntry[], size: BotStorageSize): Promise<void>;
  /** Removes the entries with these keys. @param size the new size of the account's storage */
  remove(userId: number, keys: readonly string[], size: BotStorageSize): Promise<void>;
  removeAll(userId: number): Promise<void>;
}
