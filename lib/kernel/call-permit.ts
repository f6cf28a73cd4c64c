/** The queue of a transport for expensive calls. A usually cheap call starts without queueing and joins it later. */
export interface CallPermit {
  /** Waits for permission to do expensive work. */
  take(): Promise<void>;
  /** Ends the expensive work: the call only waits from now on. */
  end(): void;
}
