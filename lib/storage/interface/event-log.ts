/** An event as the log keeps it. */
export interface StoredEvent {
  type: string;
  op?: string;
  [field: string]: unknown;
}

/**
 * Who receives an event: the union of the parts, less `except`. Channels and scopes are resolved
 * against the state at the event's place in the log, so leaving later changes nothing.
 */
export interface Audience {
  /** `everyone`: all accounts; `members`: all but guests; `public`: queues that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** Everybody subscribed to this channel. */
  channel?: number;
  users?: readonly number[];
  except?: readonly number[];
}

/** What an operation emits. */
export interface EventDraft {
  audience: Audience;
  event: StoredEvent;
  /** Only the queue with this id sees these fields (`local_message_id`). */
  forQueue?: { queue_id: string; fields: Record<string, unknown> };
  /**
   * `message_ids` (`messages` of a flags event) are those that this move of a whole topic took along, by the id of its edit. They are
   * looked up when the event is delivered, so that the log does not grow with the topic.
   */
  movedBy?: number;
  /**
   * Only for queues whose client knows archived channels (true), or only for those whose client does not
   * (false): to these a channel disappears when it is archived.
   */
  archivedChannels?: boolean;
  /** Fields that differ for some users, by user id (`flags` of a mentioned user). */
  forUsers?: Record<number, Record<string, unknown>>;
}

/** An event in the log, and when it was written there. */
export interface DatedEvent extends LoggedEvent {
  created_ms: number;
}

/** An event in the log. */
export interface LoggedEvent extends EventDraft {
  /** Place in the log: unique, increasing in commit order. */
  seq: number;
}
