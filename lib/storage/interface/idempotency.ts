/** A call that can be repeated, and its answer. */
export interface RepeatableCall {
  user_id: number;
  /** Name of the operation. */
  operation: string;
  /** Chosen by the caller. */
  key: string;
  /** Digest of the parameters. */
  digest: string;
  /** JSON. */
  answer: string;
  created_ms: number;
}

export interface IdempotencyStore {
  /** The call with this key, unless it is older than `since`, in milliseconds. */
  get(
    userId: number,
    operation: string,
    key: string,
    since: number,
  ): Promise<Pick<RepeatableCall, 'digest' | 'answer'> | undefined>;
  /** Adds a call, or replaces one that is older than `since`. False if there is a call with this key. */
  add(call: RepeatableCall, since: number): Promise<boolean>;
  /** Number of calls of an operation since a time, in milliseconds. */
  count(userId: number, operation: string, since: number): Promise<number>;
  /** Time of the oldest call, in milliseconds. */
  oldest(): Promise<number | undefined>;
  /** Removes at most `limit` calls of the user beyond the `keep` newest ones. */
  trim(userId: number, keep: number, limit: number): Promise<number>;
  /** Removes at most `limit` calls older than `since`; returns their number. May run in a `shared` write. */
  removeOlder(since: number, limit: number): Promise<number>;
}
