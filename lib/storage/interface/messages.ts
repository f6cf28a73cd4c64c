import type { Conversation } from './conversations.ts';
import type { MessageQuery, MessageTerm } from './message-query.ts';

export interface Message {
  id: number;
  conversation_id: number;
  sender_id: number;
  /** Markdown. */
  content: string;
  /** HTML. */
  rendered_content: string;
  /** Seconds. */
  timestamp: number;
  client: string;
  is_me_message: boolean;
  /** The sender's own message counts as read from the start. */
  read_by_sender: boolean;
  last_edit_timestamp: number | null;
  last_moved_timestamp: number | null;
}

export type NewMessage = Omit<Message, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp'>;

/** A message with the place it stands in. */
export interface PlacedMessage extends Message {
  channel_id: number | null;
  topic: string;
}

export interface MessageStore {
  create(message: NewMessage): Promise<number>;
  /** Several at once; returns their ids, ascending, as many as the messages and in their order. */
  createMany(messages: readonly NewMessage[]): Promise<number[]>;
  byId(id: number): Promise<PlacedMessage | undefined>;
  /** Ordered by id. */
  byIds(ids: readonly number[]): Promise<PlacedMessage[]>;
  /** Bytes of the content and its HTML, and some for each reaction, by id; without reading them. */
  sizes(ids: readonly number[]): Promise<Map<number, number>>;
  /** 0 when there is none. */
  maxId(): Promise<number>;
  /** Newest id the user received; 0 when there is none. */
  maxReceivedId(userId: number): Promise<number>;
  /**
   * Looks the words of searches up ahead of queries with the same terms in this transaction, so that they need not
   * wait for one another. The transaction changes no texts.
   */
  lookUp(terms: readonly MessageTerm[]): Promise<void>;
  /** Ids of the query's messages nearest to `from` in one direction, `from` itself excluded; ascending. */
  fetchIds(query: MessageQuery, from: number, direction: 'before' | 'after', limit: number): Promise<number[]>;
  /** The same, with their `sizes` added up where that takes no statement more. */
  fetchMeasured(
    query: MessageQuery,
    from: number,
    direction: 'before' | 'after',
    limit: number,
  ): Promise<{ ids: number[]; bytes?: number | undefined }>;
  /** Of the ids, those the user received, in channels by a subscription that covered them. */
  received(userId: number, ids: readonly number[]): Promise<number[]>;
  /**
   * Of messages that stand in the channel, or as though they stood there, those that each of the users did not
   * receive. Ids are ascending here and there; users who received all are left out, and those who received
   * the same have the same list.
   */
  notReceived(
    userIds: readonly number[],
    ids: readonly number[],
    channelId: number,
  ): Promise<Map<number, readonly number[]>>;
  /** Active accounts that were subscribed to the channel somewhere in a range of messages, and are not any more; sorted. */
  formerReceivers(channelId: number, range: { from_id: number; to_id: number }): Promise<number[]>;
  /** How many messages a conversation has, and how many since a time, seconds; the first of these. */
  countSince(
    conversationId: number,
    timestamp: number,
  ): Promise<{ total: number; recent: number; first_recent_id: number | null }>;
  edit(
    id: number,
    edit: Pick<Message, 'content' | 'rendered_content' | 'is_me_message'> & { timestamp: number },
  ): Promise<void>;
  /**
   * Puts messages of one topic into another. Subscribers of the new channel find unread what they had not
   * read, and everything else read; whoever is not subscribed there has nothing unread among them. Returns whether
   * it was done: nothing is where subscribers have read both topics by turns, and so would need too many ranges.
   */
  move(ids: readonly number[], from: Conversation, to: Conversation, timestamp: number): Promise<boolean>;
  /** How many flags, reactions and edits the messages have together, `limit` at most: no more of them are looked at. */
  countAttached(ids: readonly number[], limit: number): Promise<number>;
  /** Removes messages with their flags, reactions and edits; they link to no files any more (`uploads.release`). Here as in `move`, a topic left empty is forgotten by name. */
  remove(ids: readonly number[]): Promise<void>;
}
