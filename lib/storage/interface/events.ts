import type { DatedEvent, EventDraft, LoggedEvent } from './event-log.ts';
import type { User } from './users.ts';

export interface EventSelection {
  /** Also messages of all public channels. */
  allPublic?: boolean;
  /** Only these event types, as far as the log has them. null: all. */
  types?: readonly string[] | null;
  /** Last position to read. */
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
  since(afterSeq: number, limit: number): Promise<LoggedEvent[]>;
  /** Like `since`, with the time of each event. */
  datedSince(afterSeq: number, limit: number): Promise<DatedEvent[]>;
  /** Up to this position, events may have been trimmed. After it, none is missing. */
  trimmedTo(): Promise<number>;
  /** The oldest event that may be trimmed. The newest event never is. */
  oldest(): Promise<{ seq: number; created_ms: number } | undefined>;
  /** Deletes at most `limit` events that no queue needs; returns their number. May run in a `shared` write. */
  trim(beforeSeq: number, olderThanMs: number, limit: number): Promise<number>;
}
