/** A record that came from another chat. */
export interface ImportedRecord {
  /** Digest of its kind and its ID in the other chat. */
  key: string;
  /** Its ID here. The record may have been deleted since. */
  record_id: number;
}

export interface ImportStore {
  /** IDs of the records, by key. Without unknown keys. */
  idsOf(keys: readonly string[]): Promise<Map<string, number>>;
  add(records: readonly ImportedRecord[]): Promise<void>;
  /** Stars messages for users. */
  star(pairs: readonly { message_id: number; user_id: number }[]): Promise<void>;
  /** Sets when the authors edited messages, in seconds. Their earlier contents are not known. */
  markEdited(messages: readonly { id: number; timestamp: number }[]): Promise<void>;
  /**
   * Marks messages up to `upTo` as read: in these channels for all subscribers, deactivated accounts included. In
   * direct conversations, from `from_id` on for all participants. In a `write` transaction only: it locks no reader.
   */
  markRead(
    channelIds: readonly number[],
    conversations: readonly { id: number; from_id: number }[],
    upTo: number,
  ): Promise<void>;
}
