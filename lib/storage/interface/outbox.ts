/** A side effect that leaves the process, committed with the change that wants it. */
export interface OutboxItem {
  /** Its number in this database. */
  id: number;
  /** Name of the work, such as `invitation`. */
  kind: string;
  /** What is worked on. */
  payload: Record<string, unknown>;
  /** Not before this time, milliseconds since the epoch. */
  due_ms: number;
  /** How often it was tried. */
  attempts: number;
  /** Why it failed the last time; null where it did not. */
  last_error: string | null;
  /** When it was wanted, milliseconds since the epoch. */
  created_ms: number;
  /** When it was given up, milliseconds since the epoch; null while it is still tried. */
  given_up_ms: number | null;
}

/** An item as somebody has claimed it: whoever claims it later, when that lease has ended, finds more attempts. */
export type OutboxClaim = Pick<OutboxItem, 'id' | 'attempts'>;

/** An item tried in vain. */
export interface OutboxFailure extends OutboxClaim {
  error: string;
  /** When it is tried again; null: it is given up for good. */
  due_ms: number | null;
}

/** All of it commutes with its like and with sending, so it runs in `shared` writes. */
export interface OutboxStore {
  add(items: readonly { kind: string; payload: Record<string, unknown>; due_ms: number }[]): Promise<void>;
  /**
   * Claims items of a kind that are due, oldest first, so that nobody else takes them until `leaseUntilMs`.
   * What another transaction is claiming is passed over, not waited for.
   */
  claimDue(kind: string, nowMs: number, leaseUntilMs: number, limit: number): Promise<OutboxItem[]>;
  /** Prolongs the lease of claimed items, unless another process has claimed them since. */
  renew(claims: readonly OutboxClaim[], leaseUntilMs: number): Promise<void>;
  /** Gives back claimed items that were not tried, unless another process has claimed them since. */
  release(claims: readonly OutboxClaim[], dueMs: number): Promise<void>;
  /** Removes items. Returns how many there were: fewer where another process did some, once their lease had ended. */
  done(ids: readonly number[]): Promise<number>;
  /**
   * Notes failures; returns how many. Items that were given up, or that another process has claimed since, are left as
   * they are.
   */
  failed(failures: readonly OutboxFailure[], nowMs: number): Promise<number>;
  /** When the next item of a kind is due, milliseconds; the end of a lease counts too. */
  nextDue(kind: string): Promise<number | undefined>;
  /** Given up, newest first, with the reason. */
  givenUp(limit: number): Promise<OutboxItem[]>;
  /** When the one that was given up first was, milliseconds. */
  oldestGivenUp(): Promise<number | undefined>;
  /** How many there are to be done, how many were given up, no further than the limit, and when the oldest is due. */
  figures(limit: number): Promise<{ open: number; givenUp: number; oldestDue: number | undefined }>;
  /** Forgets items given up at or before a time; returns how many, `limit` at most. */
  removeGivenUp(untilMs: number, limit: number): Promise<number>;
}
