import type { DatedEvent, EventDraft, LoggedEvent } from './event-log.ts';
import type { User } from './users.ts';

export interface EventSelection {
  /** Also messages of every public channel. */
  allPublic?: boolean;
  /** No others, as far as the log tells them apart; all where null. */
  types?: readonly string[] | null;
  /** No further than this place. */
  toSeq?: number;
}

export interface EventStore {
  /** The newest place of the log; what is appended in this transaction comes after it. */
  tail(): Promise<number>;
  /**
   * The tail, and the places that were lost when the database last continued from an older state: those after
   * `lostAfter`, up to and including `lostTo`.
   */
  extent(): Promise<{ tail: number; lostAfter: number; lostTo: number }>;
  /** Appends the events in the order of the list. A `brief` write reads them only after its commit. */
  append(drafts: readonly EventDraft[], nowMs: number): Promise<void>;
  /** After `seq`, for this user, oldest first, not many more than ten million characters; `more` may follow the last of them. */
  forUser(
    user: Pick<User, 'id' | 'role'>,
    afterSeq: number,
    limit: number,
    selection?: EventSelection,
  ): Promise<{ events: LoggedEvent[]; more: boolean }>;
  /** After `seq`, for anybody, oldest first. */
  since(afterSeq: number, limit: number): Promise<LoggedEvent[]>;
  /** As `since`, with when each happened. */
  datedSince(afterSeq: number, limit: number): Promise<DatedEvent[]>;
  /** Up to this place events may have been trimmed; behind it none is missing. */
  trimmedTo(): Promise<number>;
  /** The oldest event that may ever be trimmed: the newest one never is. */
  oldest(): Promise<{ seq: number; created_ms: number } | undefined>;
  /** Drops what no queue needs any more; returns how many, `limit` at most. May run in a `shared` write. */
  trim(beforeSeq: number, olderThanMs: number, limit: number): Promise<number>;
}
