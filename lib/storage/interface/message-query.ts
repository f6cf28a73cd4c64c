import type { Search } from '../../rules/search.ts';
import type { MessageFlag } from './flags.ts';

/** Which messages a list has: where the viewer may look, and what must hold of each message there. */
export interface MessageQuery {
  viewer: number;
  /** All of these conversations, received or not; without them and without channels: whatever the viewer received. */
  conversations?: readonly number[];
  /** All topics of these channels, received or not. */
  channels?: readonly number[];
  /** Only messages the viewer received, for history that is not open to later subscribers. */
  receivedOnlyIn?: readonly number[];
  /** No messages of these channels, received or not. */
  hiddenIn?: readonly number[];
  /** Every one must hold. They leave messages out and never add any, negated ones neither. */
  terms?: readonly MessageTerm[];
}

export type MessageTerm = MessageTest & { readonly negated?: boolean };

export type MessageTest =
  | { readonly test: 'conversations'; readonly ids: readonly number[] }
  | { readonly test: 'channels'; readonly ids: readonly number[] }
  /** In whatever channel, without regard to case. */
  | { readonly test: 'topic'; readonly topic: string }
  | { readonly test: 'channel kind'; readonly kind: 'public' | 'web-public' | 'archived' }
  | { readonly test: 'direct' }
  /** In a topic marked as resolved; one the viewer follows. */
  | { readonly test: 'resolved' }
  | { readonly test: 'followed' }
  /** In a topic the viewer has muted or, unless only topics count, in a channel: there neither unmuted nor followed. */
  | { readonly test: 'muted'; readonly topicsOnly?: boolean }
  /** Direct messages among exactly these people. */
  | { readonly test: 'participants'; readonly ids: readonly number[] }
  /** Direct messages in which the user takes part, or only those of three and more. */
  | { readonly test: 'participant'; readonly id: number; readonly group: boolean }
  | { readonly test: 'ids'; readonly ids: readonly number[] }
  | { readonly test: 'sender'; readonly id: number }
  | { readonly test: 'unread' }
  /** One of the flags at least. */
  | { readonly test: 'flagged'; readonly flags: readonly MessageFlag[] }
  | { readonly test: 'has'; readonly feature: 'link' | 'image' | 'attachment' | 'reaction' }
  /** What the search looks for, in content or topic. */
  | { readonly test: 'words'; readonly search: Search };
