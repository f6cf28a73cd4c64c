/** A named position of a reader of the whole log. */
export interface EventCursor {
  name: string;
  /** Last processed position. */
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
  /** Creates the cursor, unless it exists. */
  ensure(name: string, position: number): Promise<void>;
  /** False if there is no such cursor. */
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
