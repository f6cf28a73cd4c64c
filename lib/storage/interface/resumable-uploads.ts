/**
 * Uploads that arrive in several requests, as long as they are not complete. One request at a time holds the lease of
 * an upload, in whatever process it is, and it alone may write. Whoever holds it renews it all the time, so that
 * nobody waits for long when a process dies.
 */
export interface ResumableUploadStore {
  /** @param size bytes that it will have */
  create(uploadId: number, ownerId: number, size: number): Promise<void>;
  /** Bytes that it will have; undefined where there is no such upload. */
  sizeOf(uploadId: number): Promise<number | undefined>;
  /** How many an account has begun; counts no further than a limit. */
  countOf(ownerId: number, limit: number): Promise<number>;
  /** Gives the lease to a holder unless another has it until later; that one is asked to give it back. */
  take(uploadId: number, holder: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Whether the holder has it until then now, and whether somebody asks for it. */
  renew(uploadId: number, holder: string, untilMs: number): Promise<LeaseState>;
  /** Gives it back; false where the holder has it no more, or the upload is gone or complete. */
  release(uploadId: number, holder: string): Promise<boolean>;
  /** Has arrived: there is nothing to resume any more. */
  remove(uploadId: number): Promise<void>;
}

export type LeaseState = 'held' | 'asked-for' | 'lost';
