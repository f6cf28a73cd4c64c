import type { User } from '../../model/users.ts';

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
  /** UTF-16 code units of its JSON. */
  readonly size: number;
}

/** An event in the log. */
export interface LoggedEvent extends EventDraft {
  /** Position in the log: unique, increasing in commit order. */
  seq: number;
}

export interface EventSelection {
  /** Also messages of all public channels. */
  allPublic?: boolean;
  /** Only these event types, as far as the log has them. null: all. */
  types?: readonly string[] | null;
  toSeq?: number;
}

export interface EventStore {
  /** The newest position of the log. Events of this transaction come after it. */
  tail(): Promise<number>;
  /**
   * The tail, and the positions that were lost when the database last continued from an older state: those after
   * `lostAfter`, up to and including `lostTo`.
   */
  extent(): Promise<{ tail: number; lostAfter: number; lostTo: number }>;
  /** Appends the events in this order. A `brief` write can read them only after its commit. */
  append(drafts: readonly EventDraft[], nowMs: number): Promise<void>;
  /**
   * Events for this user after `seq`, oldest first, about ten million characters at most. `more`: further ones may
   * follow.
   */
  forUser(
    user: Pick<User, 'id' | 'role'>,
    afterSeq: number,
    limit: number,
    selection?: EventSelection,
  ): Promise<{ events: LoggedEvent[]; more: boolean }>;
  /** All events after `seq`, oldest first. */
  since(afterSeq: number, limit: number): Promise<DatedEvent[]>;
  /** Up to this position, events may have been trimmed. After it, none is missing. */
  trimmedTo(): Promise<number>;
  /** The oldest event that may be trimmed. The newest event never is. */
  oldest(): Promise<{ seq: number; created_ms: number } | undefined>;
  /** Deletes at most `limit` events that no queue needs; returns their number. May run in a `shared` write. */
  trim(beforeSeq: number, olderThanMs: number, limit: number): Promise<number>;
}
