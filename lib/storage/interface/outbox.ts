/** A side effect that leaves the process, committed with the change that wants it. */
export interface OutboxItem {
  id: number;
  kind: string;
  payload: Record<string, unknown>;
  due_ms: number;
  attempts: number;
  last_error: string | null;
  created_ms: number;
}

export interface OutboxStore {
  add(items: readonly { kind: string; payload: Record<string, unknown>; due_ms: number }[]): Promise<void>;
  /** Claims items due, so that no other process takes them until `leaseUntilMs`. */
  claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<OutboxItem[]>;
  done(id: number): Promise<void>;
  /** Tried in vain: due again later, or given up for good when `dueMs` is null. */
  failed(id: number, error: string, dueMs: number | null): Promise<void>;
  /** When the next item is due, milliseconds. */
  nextDue(): Promise<number | undefined>;
  /** Given up, newest first, with the reason. */
  givenUp(limit: number): Promise<OutboxItem[]>;
}
