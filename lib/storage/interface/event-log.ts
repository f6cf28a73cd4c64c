/** An event as stored in the log. */
export interface StoredEvent {
  type: string;
  op?: string;
  [field: string]: unknown;
}

/**
 * Recipients of an event: the union of the fields, without `except`. Channels and scopes are resolved with the state at
 * the position of the event in the log, so leaving later changes nothing.
 */
export interface Audience {
  /** `everyone`: all accounts; `members`: all but guests; `public`: queues that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** All subscribers of this channel. */
  channel?: number;
  users?: readonly number[];
  except?: readonly number[];
}

/** An event as emitted by an operation. */
export interface EventDraft {
  audience: Audience;
  event: StoredEvent;
  /** Only the queue with this id sees these fields (`local_message_id`). */
  forQueue?: { queue_id: string; fields: Record<string, unknown> };
  /**
   * ID of the edit that moved a whole topic. The field `message_ids` (`messages` of a flags event) lists the moved
   * messages. It is looked up on delivery, so that the log does not grow with the topic.
   */
  movedBy?: number;
  /**
   * true: only for queues with the capability `archived_channels`. false: only for queues without it, for which an
   * archived channel disappears.
   */
  archivedChannels?: boolean;
  /** Fields that differ for some users, by user ID (for example `flags` of a mentioned user). */
  forUsers?: Record<number, Record<string, unknown>>;
}

/** An event in the log, with its time. */
export interface DatedEvent extends LoggedEvent {
  created_ms: number;
}

/** An event in the log. */
export interface LoggedEvent extends EventDraft {
  /** Position in the log: unique, increasing in commit order. */
  seq: number;
}
