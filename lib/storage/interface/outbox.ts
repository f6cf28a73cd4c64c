/** A side effect (e-mail, notification, webhook call), committed together with the change that causes it. */
export interface OutboxItem {
  /** Number of the item. */
  id: number;
  /** Kind of the side effect, for example `invitation`. */
  kind: string;
  /** Data of the side effect. */
  payload: Record<string, unknown>;
  /** Earliest time of the next attempt, in milliseconds since the epoch. */
  due_ms: number;
  /** Number of attempts so far. */
  attempts: number;
  /** Error of the last attempt. null if none has failed. */
  last_error: string | null;
  /** Time of creation, in milliseconds since the epoch. */
  created_ms: number;
  /** Time of the final failure, in milliseconds since the epoch. null while there are retries. */
  given_up_ms: number | null;
}

/** A claimed item. A later claim, after the lease has ended, has a higher number of attempts. */
export type OutboxClaim = Pick<OutboxItem, 'id' | 'attempts'>;

/** A failed attempt. */
export interface OutboxFailure extends OutboxClaim {
  error: string;
  /** Time of the next attempt. null: no more attempts. */
  due_ms: number | null;
}

/** All methods commute with each other and with sending, so they run in `shared` writes. */
export interface OutboxStore {
  add(items: readonly { kind: string; payload: Record<string, unknown>; due_ms: number }[]): Promise<void>;
  /**
   * Claims due items of a kind, oldest first. No other process can claim them until `leaseUntilMs`. Skips items that
   * another transaction is claiming now.
   */
  claimDue(kind: string, nowMs: number, leaseUntilMs: number, limit: number): Promise<OutboxItem[]>;
  /** Renews the lease of claimed items, unless another process has claimed them since. */
  renew(claims: readonly OutboxClaim[], leaseUntilMs: number): Promise<void>;
  /**
   * Replaces the payload of an item, to record how far its work has come. False, and nothing changes, if another process
   * has claimed it since.
   */
  advance(claim: OutboxClaim, payload: Record<string, unknown>): Promise<boolean>;
  /** Removes completed items. Returns their number; fewer if another process completed some after the lease ended. */
  done(ids: readonly number[]): Promise<number>;
  /**
   * Records failed attempts; returns the IDs of their items. Skips items that have finally failed, or that another
   * process has claimed since.
   */
  failed(failures: readonly OutboxFailure[], nowMs: number): Promise<number[]>;
  /** Time when the next item of a kind is due, or when its lease ends. */
  nextDue(kind: string): Promise<number | undefined>;
  /** Finally failed items, newest first. */
  givenUp(limit: number): Promise<OutboxItem[]>;
  /** Time of the oldest final failure. */
  oldestGivenUp(): Promise<number | undefined>;
  /** Number of open and of finally failed items, each counted up to the limit. */
  figures(limit: number): Promise<{ open: number; givenUp: number }>;
  /** Among the first `limit` open items that are due since their creation: the oldest of each kind, and an error of it. */
  waiting(nowMs: number, limit: number): Promise<{ kind: string; created_ms: number; error: string | null }[]>;
  /** Deletes at most `limit` items that finally failed at or before a time; returns their number. */
  removeGivenUp(untilMs: number, limit: number): Promise<number>;
}
