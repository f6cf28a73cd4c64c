/** Messages of every place that keeps them so many days. */
export interface RetentionPlaces {
  /** Whole days. */
  days: number;
  /** What holds in direct messages, and in channels that do not decide for themselves; -1: for ever. */
  organizationDays: number;
}

export interface ExpiredMessage {
  id: number;
  conversation_id: number;
  /** null: direct. */
  channel_id: number | null;
}

/** When messages are looked at that may have expired, and which these are. */
export interface RetentionStore {
  /** When messages are to be looked at next, milliseconds; undefined where nothing ever expires. */
  due(): Promise<number | undefined>;
  /** Sets the time, milliseconds, whatever it was. */
  setDue(ms: number | undefined): Promise<void>;
  /** Sets the time if it is still `from`, else false: another process works on it, or a setting changed. */
  moveDue(from: number, to: number | undefined): Promise<boolean>;
  /** The numbers of days that channels decided for themselves, each once, ascending. */
  channelDays(): Promise<number[]>;
  /** The id from which on messages are at least as new as the time, seconds: as far as ids are in the order of times. */
  firstSince(timestamp: number): Promise<number>;
  /**
   * Messages older than the time and below the id, ordered by conversation: those in the given one that are left,
   * and in conversations after it.
   */
  expired(
    places: RetentionPlaces,
    before: { timestamp: number; id: number },
    fromConversation: number,
    limit: number,
  ): Promise<ExpiredMessage[]>;
}
