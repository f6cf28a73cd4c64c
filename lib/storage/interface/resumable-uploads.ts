/**
 * Unfinished resumable uploads. One request at a time, in any process, holds the lease of an upload and may write it.
 * The holder renews it at short intervals, so that other requests need not wait long after a crash.
 */
export interface ResumableUploadStore {
  /** @param size total size in bytes */
  create(uploadId: number, ownerId: number, size: number): Promise<void>;
  /** Total size in bytes. undefined if there is no such upload. */
  sizeOf(uploadId: number): Promise<number | undefined>;
  /** Number of unfinished uploads of an account, counted up to the limit. */
  countOf(ownerId: number, limit: number): Promise<number>;
  /** Takes the lease. False if another request holds it: that request is then asked to release it. */
  take(uploadId: number, holder: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Renews the lease. Returns whether the holder still has it, and whether another request asks for it. */
  renew(uploadId: number, holder: string, untilMs: number): Promise<LeaseState>;
  /** Releases the lease. False if the lease is lost, or the upload is deleted or complete. */
  release(uploadId: number, holder: string): Promise<boolean>;
  /** Deletes the record of a complete upload. */
  remove(uploadId: number): Promise<void>;
}

export type LeaseState = 'held' | 'asked-for' | 'lost';
