/** What somebody did, or was refused, that those who answer for the organization may want to know later. */
export interface AuditEntry {
  /** Its number, in the order in which entries were added, with gaps. One may be committed after others with higher ids, so nobody reads on behind an id. */
  id: number;
  /** When it was, milliseconds since the epoch; of several that were alike, the last. */
  at_ms: number;
  /** What was done: the operation by name, or `authenticate`: a key that was not right. */
  action: string;
  /** Whose doing it was; null where that is not known. Of a sign-in, whose account it was. */
  user_id: number | null;
  /** Status as a server answers it: 200, or that of the refusal. */
  status: number;
  /** Code of the refusal; null of what was done, and of a refusal without a code. */
  code: string | null;
  /** On whom or what it was done: numbers and truth values as they were given; of texts and structures, that they were given. */
  details: Record<string, unknown>;
  /** Name of the client program. */
  client: string;
  /** Network address that a refusal went to; null of what was done. */
  network: string | null;
  /** Name of the request in the log of the server; null in process. */
  request: string | null;
  /** How often it was: refusals that were alike are one entry. */
  times: number;
}

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

export interface AuditSelection {
  /** Milliseconds: at this time or later. */
  since: number;
  userId?: number;
  action?: string;
  limit: number;
}

export interface AuditStore {
  /** Commutes with its like and with everything else. */
  add(entries: readonly NewAuditEntry[]): Promise<void>;
  /** The newest of those that fit, oldest first. */
  list(selection: AuditSelection): Promise<AuditEntry[]>;
  /** Whether there is anything. */
  isEmpty(): Promise<boolean>;
  /** Forgets refusals, or else what was done, that are older than the time or beyond the newest `kept`, at least 1; returns how many, `limit` at most. */
  trim(what: 'refused' | 'done', untilMs: number, kept: number, limit: number): Promise<number>;
}
