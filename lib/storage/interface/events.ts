import type { User } from '../../model/users.ts';
import type { ErasedPerson } from '../../rules/erasure.ts';

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
  /** `everyone`: all accounts; `members`: all but guests; `public`: queues with a `PublicFeed`. */
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

/** Public channels whose messages a queue receives without a subscription: none, all, or the one with this ID. */
export type PublicFeed = 'none' | 'all' | number;

interface EventSelection {
  publicFeed?: PublicFeed;
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
  /** Appends the events in this order. An `append` write can read them only after its commit. */
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
  /** Events of this type after `seq`, oldest first. */
  ofType(type: string, afterSeq: number): Promise<LoggedEvent[]>;
  /** Up to this position, events may have been trimmed. After it, none is missing. */
  trimmedTo(): Promise<number>;
  /** The oldest event that may be trimmed. The newest event never is. */
  oldest(): Promise<{ seq: number; created_ms: number } | undefined>;
  /**
   * Removes the texts of these messages from at most `limit` events after `seq`, oldest first. The events stay. Returns
   * the position that it reached. undefined: no further events.
   */
  eraseTexts(messageIds: readonly number[], afterSeq: number, limit: number): Promise<number | undefined>;
  /**
   * Removes the texts about the person from at most `limit` events after `seq`, as `eventWithout` says. The events stay.
   * Returns the position that it reached. undefined: no further events.
   */
  erasePerson(
    person: ErasedPerson,
    options: { texts: boolean },
    afterSeq: number,
    limit: number,
  ): Promise<number | undefined>;
  /** Deletes at most `limit` events that no queue needs; returns their number. May run in a `shared` write. */
  trim(beforeSeq: number, olderThanMs: number, limit: number): Promise<number>;
}

export interface EventQueue {
  id: string;
  user_id: number;
  client: string;
  /** null: all types. */
  event_types: string[] | null;
  narrow: [operator: string, operand: string, negated?: boolean][];
  all_public_streams: boolean;
  /** IDs of the channels to which the token that registered it is limited. null: it is not limited. */
  rooms: number[] | null;
  /** apply_markdown, client_gravatar, slim_presence, include_subscribers, client_capabilities. */
  options: Record<string, unknown>;
  /** Position of the log at which the queue started. Its event IDs count from there. */
  start_seq: number;
  acked_seq: number;
  last_used_ms: number;
  /** Seconds without a poll until it expires. */
  lifespan: number;
  /** ID of the process in which polls of the queue wait. null: none. */
  holder: string | null;
}

export interface QueueStore {
  create(queue: EventQueue): Promise<void>;
  byId(id: string): Promise<EventQueue | undefined>;
  remove(id: string): Promise<boolean>;
  removeOfUsers(userIds: readonly number[]): Promise<void>;
  /** False if there is no such queue. */
  touch(id: string, ackedSeq: number, nowMs: number): Promise<boolean>;
  /** Sets the process in which polls of the queue wait. False if there is no such queue. */
  hold(id: string, holder: string): Promise<boolean>;
  /** Deletes at most `limit` expired queues; returns their IDs. May run in a `shared` write. */
  removeExpired(nowMs: number, limit: number): Promise<string[]>;
  /** Deletes the queues of a user except the `kept` last used ones; returns the deleted IDs. */
  removeSurplus(userId: number, kept: number): Promise<string[]>;
  /** Keeps the `kept` queues of all users that expire last. Deletes at most `limit` others; returns their IDs. */
  removeCrowd(kept: number, limit: number): Promise<string[]>;
  /** Deletes at most `limit` queues that have acknowledged nothing after this position; returns their IDs. */
  removeBehind(seq: number, limit: number): Promise<string[]>;
  /** Number of queues, counted up to the limit. */
  count(limit: number): Promise<number>;
  /** Time when the next queue expires, in milliseconds. undefined if there is no queue. */
  nextExpiry(): Promise<number | undefined>;
  /** The oldest position that a queue needs. undefined if there is no queue. */
  oldestNeeded(): Promise<number | undefined>;
}

/** A named position of a reader of the whole log. */
export interface EventCursor {
  name: string;
  position: number;
  /** The current reader, until the lease ends. null: none. */
  holder: string | null;
  lease_until_ms: number;
}

/** All methods commute with each other and with sending, so they run in `shared` writes. */
export interface EventCursorStore {
  /** All cursors, ordered by name. At most 100. */
  all(): Promise<EventCursor[]>;
  byName(name: string): Promise<EventCursor | undefined>;
  ensure(name: string, position: number): Promise<void>;
  remove(name: string): Promise<boolean>;
  /**
   * Gives `holder` the lease until `leaseUntilMs`. undefined if another holder has it at `nowMs`, or without cursor.
   */
  claim(name: string, holder: string, nowMs: number, leaseUntilMs: number): Promise<EventCursor | undefined>;
  /** Saves the position and renews the lease. False if `holder` does not have the lease any more. */
  save(name: string, holder: string, position: number, leaseUntilMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
  /** Moves it forward, never back, and ends the lease: the holder must claim it again. False if there is no cursor. */
  advance(name: string, position: number): Promise<boolean>;
  /** The oldest position of any cursor, without those before `from`. */
  oldestNeeded(from: number): Promise<number | undefined>;
}
