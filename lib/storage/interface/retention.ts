export interface RetentionPlaces {
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
    fromConversation: number,
    limit: number,
  ): Promise<ExpiredMessage[]>;
}
