import type { Conversation } from './conversations.ts';
import type { FoundWord, MessageQuery, MessageTerm } from './message-query.ts';

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

export interface MessageStore {
  create(message: NewMessage): Promise<number>;
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
