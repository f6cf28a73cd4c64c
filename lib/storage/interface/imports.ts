import type { Reaction } from './messages.ts';

/** A record that came from another chat. */
export interface ImportedRecord {
  /** Digest of its kind and its ID in the other chat. */
  key: string;
  /** Its ID in this chat. The record may be deleted. */
  record_id: number;
}

export interface ImportStore {
  /** IDs of the records, by key. Without unknown keys. */
  idsOf(keys: readonly string[]): Promise<Map<string, number>>;
  add(records: readonly ImportedRecord[]): Promise<void>;
  /** Stars messages for users. */
  star(pairs: readonly { message_id: number; user_id: number }[]): Promise<void>;
  /** Adds reactions. Returns the number of new ones. */
  react(reactions: readonly Reaction[]): Promise<number>;
  /** Sets the times of edits, in seconds. The earlier contents are unknown. */
  markEdited(messages: readonly { id: number; timestamp: number }[]): Promise<void>;
  /** The newest message before another one in each of the channels that has one. */
  newestInChannels(channelIds: readonly number[], beforeId: number): Promise<NewestMessage[]>;
  /** The newest message between two others in each channel that has one there. */
  newestBetween(afterId: number, beforeId: number): Promise<NewestMessage[]>;
  /**
   * Marks messages from `from_id` of the conversations up to `upTo` as read: for all subscribers or participants,
   * deactivated accounts included. `channels` has the newest message of others in each channel: subscribers who have not
   * read it get a range for each topic. Only in a `write` transaction, which locks no reader.
   */
  markRead(
    channels: readonly NewestMessage[],
    conversations: readonly { id: number; channel_id: number | null; from_id: number }[],
    upTo: number,
  ): Promise<void>;
}

export interface NewestMessage {
  channel_id: number;
  id: number;
}
