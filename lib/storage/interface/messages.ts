import type { Search } from '../../rules/search.ts';
import type { Conversation } from './conversations.ts';
import type { MessageFlag } from './flags.ts';

export interface Message {
  id: number;
  conversation_id: number;
  sender_id: number;
  content: string;
  rendered_content: string;
  timestamp: number;
  client: string;
  is_me_message: boolean;
  read_by_sender: boolean;
  last_edit_timestamp: number | null;
  last_moved_timestamp: number | null;
}

export type NewMessage = Omit<Message, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp'>;

export interface PlacedMessage extends Message {
  channel_id: number | null;
  topic: string;
}

export interface CreatedMessage {
  id: number;
  /** A user other than the sender follows the topic. False without `looksForFollowers`. */
  is_followed: boolean;
}

export interface MessageStore {
  create(message: NewMessage, options?: { looksForFollowers?: boolean }): Promise<CreatedMessage>;
  /** Creates several messages. Returns their IDs, ascending, in the same order. */
  createMany(messages: readonly NewMessage[]): Promise<number[]>;
  byId(id: number): Promise<PlacedMessage | undefined>;
  /** Ordered by id. */
  byIds(ids: readonly number[]): Promise<PlacedMessage[]>;
  /**
   * Approximate sizes by ID: bytes of the content, its HTML and the submessages, plus some for each reaction. Does not
   * read the texts.
   */
  sizes(ids: readonly number[]): Promise<Map<number, number>>;
  /** 0 if there is no message. */
  maxId(): Promise<number>;
  /** Newest message that the user received. 0 if there is none. */
  maxReceivedId(userId: number): Promise<number>;
  /**
   * Looks up the words of searches, for several queries with the same search terms. The transaction must not change
   * texts.
   */
  lookUp(terms: readonly MessageTerm[]): Promise<readonly FoundWord[]>;
  /** IDs of the messages nearest to `from` in one direction, without `from`. Ascending. */
  fetchIds(query: MessageQuery, from: number, direction: 'before' | 'after', limit: number): Promise<number[]>;
  /** The same, with the sum of their `sizes` if this needs no additional statement. */
  fetchMeasured(
    query: MessageQuery,
    from: number,
    direction: 'before' | 'after',
    limit: number,
  ): Promise<{ ids: number[]; bytes?: number | undefined }>;
  /** The IDs that the user received; in channels, by a subscription at that time. */
  received(userId: number, ids: readonly number[]): Promise<number[]>;
  /**
   * For each user, the messages that they did not receive in the channel. The messages may be elsewhere: they are
   * treated as if they were in this channel. IDs must be ascending. Users who received all are left out. Equal lists
   * are the same array.
   */
  notReceived(
    userIds: readonly number[],
    ids: readonly number[],
    channelId: number,
  ): Promise<Map<number, readonly number[]>>;
  /** Active accounts that were subscribed to the channel within a range of messages and are no longer. Sorted. */
  formerReceivers(channelId: number, range: { from_id: number; to_id: number }): Promise<number[]>;
  /** Number of messages of a conversation, number since a time (in seconds), and the first of these. */
  countSince(
    conversationId: number,
    timestamp: number,
  ): Promise<{ total: number; recent: number; first_recent_id: number | null }>;
  edit(
    id: number,
    edit: Pick<Message, 'content' | 'rendered_content' | 'is_me_message'> & { timestamp: number },
  ): Promise<void>;
  /** Replaces the HTML of a message, which does not count as an edit. */
  setRendered(id: number, html: string): Promise<void>;
  /**
   * Moves messages from one topic to another. Subscribers of the new channel keep their read state. For other users,
   * all of the messages count as read. Returns false and does nothing if subscribers have read both topics alternately,
   * so that too many ranges would be needed.
   */
  move(ids: readonly number[], from: Conversation, to: Conversation, timestamp: number): Promise<boolean>;
  /** Number of flags, reactions, submessages and edits of the messages together, counted up to `limit`. */
  countAttached(ids: readonly number[], limit: number): Promise<number>;
  /**
   * Deletes messages with their flags, reactions, submessages and edits. Call `uploads.release` first. As in `move`, an
   * empty topic loses its name.
   */
  remove(ids: readonly number[]): Promise<void>;
}

/** Filter of a message list: the places that the viewer may read, and conditions for the messages. */
export interface MessageQuery {
  viewer: number;
  /** All messages of these conversations. Without conversations and channels: all messages that the viewer received. */
  conversations?: readonly number[];
  channels?: readonly number[];
  /** Only received messages of these channels: their history is not open to later subscribers. */
  receivedOnlyIn?: readonly number[];
  hiddenIn?: readonly number[];
  /** A channel that the viewer has left: only messages that they received, as they received them. */
  leftIn?: number;
  /** Conditions that all must hold. Terms only exclude messages, also negated ones. */
  terms?: readonly MessageTerm[];
  /** The words of the terms, from `lookUp`. Without them, each query looks them up. */
  words?: readonly FoundWord[];
}

/** A word of a search, looked up in the indexes. */
export interface FoundWord {
  /** In the query syntax of the engine. */
  query: string;
  /** Whether the index can return messages one by one. Otherwise it collects all matches first. */
  isWalkable: boolean;
  /** Conversations with the word in their topic. */
  topics: readonly number[];
  literal: string | undefined;
}

export type MessageTerm = MessageTest & { readonly negated?: boolean };

export type MessageTest =
  | { readonly test: 'conversations'; readonly ids: readonly number[] }
  | { readonly test: 'channels'; readonly ids: readonly number[] }
  /** In any channel, without regard to case. */
  | { readonly test: 'topic'; readonly topic: string }
  | { readonly test: 'channel kind'; readonly kind: 'public' | 'web-public' | 'archived' }
  | { readonly test: 'direct' }
  /** In a resolved topic; in a topic that the viewer follows. */
  | { readonly test: 'resolved' }
  | { readonly test: 'followed' }
  /** In a muted topic, or (unless `topicsOnly`) in a muted channel and a topic that is neither unmuted nor followed. */
  | { readonly test: 'muted'; readonly topicsOnly?: boolean }
  /** Direct messages between exactly these users. */
  | { readonly test: 'participants'; readonly ids: readonly number[] }
  /** Direct messages with this participant; with `group`, only those with three or more participants. */
  | { readonly test: 'participant'; readonly id: number; readonly group: boolean }
  | { readonly test: 'ids'; readonly ids: readonly number[] }
  | { readonly test: 'sender'; readonly id: number }
  | { readonly test: 'unread' }
  | { readonly test: 'flagged'; readonly flags: readonly MessageFlag[] }
  | { readonly test: 'has reactions' }
  /** Whose HTML contains one of these texts. */
  | { readonly test: 'html'; readonly signs: readonly string[] }
  /** Full-text search in content and topic. */
  | { readonly test: 'words'; readonly search: Search };

type ReactionType = 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';

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

export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  /** `widget` for polls, to-do lists and their changes. */
  msg_type: string;
  /** JSON. */
  content: string;
}

export interface SubmessageSummary {
  /** Content of the first widget. null: none. */
  widget: string | null;
  /** Whether the sender of the message has added one. 1 or null. */
  started: 1 | null;
  /** Characters of all users, and of one. Each submessage counts 100 more. */
  all: number;
  own: number;
}

export interface SubmessageStore {
  /** Returns the ID. */
  add(submessage: Omit<Submessage, 'id'>): Promise<number>;
  summary(messageId: number, userId: number): Promise<SubmessageSummary>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Submessage[]>;
}

interface RetentionPlaces {
  /** Whole days. */
  days: number;
  /** Default for direct messages and for channels without their own setting. -1: unlimited. */
  organizationDays: number;
}

export interface ExpiredMessage {
  id: number;
  conversation_id: number;
  /** null: direct. */
  channel_id: number | null;
}

/** Expired messages, and the time of the next check. */
export interface RetentionStore {
  /** Time of the next check in milliseconds. undefined if messages never expire. */
  due(): Promise<number | undefined>;
  setDue(ms: number | undefined): Promise<void>;
  /** Sets the time if it is still `from`. False if another process has changed it, or a setting was changed. */
  moveDue(from: number, to: number | undefined): Promise<boolean>;
  /** Distinct retention days of channels with their own setting, ascending. */
  channelDays(): Promise<number[]>;
  /** First message ID at or after a time in seconds. Approximate, since times are not strictly in ID order. */
  firstSince(timestamp: number): Promise<number>;
  /** Messages older than the time and below the ID, ordered by conversation, from `fromConversation` on. */
  expired(
    places: RetentionPlaces,
    before: { timestamp: number; id: number },
    page: { fromConversation: number; limit: number },
  ): Promise<ExpiredMessage[]>;
}
