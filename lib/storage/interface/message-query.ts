import type { Search } from '../../rules/search.ts';
import type { MessageFlag } from './flags.ts';

/** Filter of a message list: the places that the viewer may read, and conditions for the messages. */
export interface MessageQuery {
  viewer: number;
  /** All messages of these conversations. Without conversations and channels: all messages that the viewer received. */
  conversations?: readonly number[];
  channels?: readonly number[];
  /** Only received messages of these channels: their history is not open to later subscribers. */
  receivedOnlyIn?: readonly number[];
  hiddenIn?: readonly number[];
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
  | { readonly test: 'has'; readonly feature: 'link' | 'image' | 'attachment' | 'reaction' }
  /** Full-text search in content and topic. */
  | { readonly test: 'words'; readonly search: Search };
