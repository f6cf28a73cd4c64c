/** How far somebody who reads the whole log has come, by a name of theirs. */
export interface EventCursor {
  name: string;
  /** Everything up to here has been dealt with. */
  position: number;
  /** Whoever reads for it now, until the lease ends; null: nobody. */
  holder: string | null;
  lease_until_ms: number;
}

/** All of it commutes with its like and with sending, so it runs in `shared` writes. */
export interface EventCursorStore {
  /** All cursors, ordered by name. There are a hundred at most. */
  all(): Promise<EventCursor[]>;
  byName(name: string): Promise<EventCursor | undefined>;
  /** Makes it, unless it is there. */
  ensure(name: string, position: number): Promise<void>;
  /** False when there is none. */
  remove(name: string): Promise<boolean>;
  /** Lets `holder` read for it until `leaseUntilMs`; undefined where somebody else does at `nowMs`, or there is none. */
  claim(name: string, holder: string, nowMs: number, leaseUntilMs: number): Promise<EventCursor | undefined>;
  /** Notes how far the holder is and prolongs their lease; false where they hold it no more. */
  save(name: string, holder: string, position: number, leaseUntilMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
  /** Sets it forward, never back, and takes it from its holder, who must claim it anew; false when there is none. */
  advance(name: string, position: number): Promise<boolean>;
  /** The oldest place that any cursor needs, but for those that are further behind than `from`. */
  oldestNeeded(from: number): Promise<number | undefined>;
}
