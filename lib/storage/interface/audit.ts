/** Entry of the audit log: an administrative action, a sign-in, or a refused attempt at one. */
export interface AuditEntry {
  /**
   * Number of the entry, with gaps. An entry may be committed after others with higher numbers, so do not use the
   * number as a cursor.
   */
  id: number;
  /** Time in milliseconds since the epoch. For repeated refusals: the last time. */
  at_ms: number;
  /** Name of the operation, or `authenticate` for a wrong API key. */
  action: string;
  /**
   * ID of the user who did it; for a sign-in, the account. null if unknown, and for `chat.system()`. Also null for
   * `chatctl` on the database: `details.as_user_id` is the account that it acted as.
   */
  user_id: number | null;
  /** HTTP status: 200, or that of the error. */
  status: number;
  /** Error code. null for a success, and for errors without a code. */
  code: string | null;
  /** Parameters of the call. Numbers and booleans with their values; of others only that they were given. */
  details: Record<string, unknown>;
  /** Name of the client program. `system` for `chat.system()`. */
  client: string;
  /** Network address of a refused caller. null for a success. */
  network: string | null;
  /** ID of the request in the server log. null in process. */
  request: string | null;
  /** How often it happened: equal refusals share one entry. */
  times: number;
}

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

interface AuditSelection {
  /** Earliest time, in milliseconds since the epoch. */
  since: number;
  /** Only entries with lower IDs. */
  beforeId?: number | undefined;
  userId?: number;
  action?: string;
  channelId?: number;
  limit: number;
}

export interface AuditStore {
  /** Commutes with all other work. */
  add(entries: readonly NewAuditEntry[]): Promise<void>;
  /** The newest matching entries, oldest first. */
  list(selection: AuditSelection): Promise<AuditEntry[]>;
  /**
   * Deletes at most `limit` refusals, or successes, that are older than `untilMs` or not among the newest `kept`
   * (at least 1). Returns the number of deleted entries.
   */
  trim(what: 'refused' | 'done', bounds: { untilMs: number; kept: number; limit: number }): Promise<number>;
}
