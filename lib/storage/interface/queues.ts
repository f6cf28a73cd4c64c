export interface EventQueue {
  id: string;
  user_id: number;
  client: string;
  /** null: all types. */
  event_types: string[] | null;
  narrow: [operator: string, operand: string, negated?: boolean][];
  all_public_streams: boolean;
  /** apply_markdown, client_gravatar, slim_presence, include_subscribers, client_capabilities. */
  options: Record<string, unknown>;
  /** The log's place when the queue began; its event ids count from there. */
  start_seq: number;
  /** Everything up to here has been taken by the client. */
  acked_seq: number;
  last_used_ms: number;
  /** Idle seconds until it expires. */
  lifespan: number;
  /** The process in which polls on the queue wait; null where none has said so. */
  holder: string | null;
}

export interface QueueStore {
  create(queue: EventQueue): Promise<void>;
  byId(id: string): Promise<EventQueue | undefined>;
  /** False when there is none. */
  remove(id: string): Promise<boolean>;
  removeOfUsers(userIds: readonly number[]): Promise<void>;
  touch(id: string, ackedSeq: number, nowMs: number): Promise<void>;
  /** Polls on the queue now wait in this process. False when there is none. */
  hold(id: string, holder: string): Promise<boolean>;
  /** Removes what has been idle for longer than its lifespan, `limit` at most; may run in a `shared` write. */
  removeExpired(nowMs: number, limit: number): Promise<string[]>;
  /** Ends the queues of a user but for so many, those used last; returns which. */
  removeSurplus(userId: number, kept: number): Promise<string[]>;
  /** Ends the queues of everybody but for so many, those that would live on longest, `limit` at most; returns which. */
  removeCrowd(kept: number, limit: number): Promise<string[]>;
  /** Ends those that have acknowledged nothing after this place, `limit` at most; returns which. */
  removeBehind(seq: number, limit: number): Promise<string[]>;
  /** How many there are, no further than the limit. */
  count(limit: number): Promise<number>;
  /** When the next queue expires, milliseconds; undefined when there is none. */
  nextExpiry(): Promise<number | undefined>;
  /** The oldest place any queue still needs; undefined without queues. */
  oldestNeeded(): Promise<number | undefined>;
}
