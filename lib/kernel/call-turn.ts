/** A transport's line of those who call, as it is for a call that was let in without waiting since most of its kind do little. */
export interface CallTurn {
  /** Waits until it may do much. */
  take(): Promise<void>;
  /** Others may come: it only waits from now on. */
  end(): void;
}
