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
  /** Sets the times of edits, in seconds. The earlier contents are unknown. */
  markEdited(messages: readonly { id: number; timestamp: number }[]): Promise<void>;
  /**
   * Marks messages up to `upTo` as read: in these channels for all subscribers, deactivated accounts included. In
   * direct conversations, from `from_id` on for all participants. Only in a `write` transaction, which locks no reader.
   */
  markRead(
    channelIds: readonly number[],
    conversations: readonly { id: number; from_id: number }[],
    upTo: number,
  ): Promise<void>;
}
