/** An uploaded file. Its bytes are in the file store, under its key. */
export interface Upload {
  id: number;
  owner_id: number;
  /** Key in the file store: letters, digits, `-`, `_` and slashes. Not guessable, and never used again. */
  file_key: string;
  /** Last part of its URL. */
  file_name: string;
  /** Original file name. */
  name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Displayed width of a picture in pixels. null for other files. */
  width: number | null;
  height: number | null;
  /** Frames of a picture. More than 1: an animation. 0: not a valid picture. null: unknown. */
  frames: number | null;
  /** All bytes are stored. Before that, the file is not visible. */
  is_complete: boolean;
  created_ms: number;
  /** Time of the check whether it is still used. null while a message links to it. */
  collect_ms: number | null;
}

export type NewUpload = Omit<Upload, 'id' | 'size' | 'width' | 'height' | 'frames' | 'is_complete'>;

/** Data of a complete file. */
export type UploadFacts = Pick<Upload, 'size' | 'width' | 'height' | 'frames' | 'collect_ms'>;

/** A message that links to a file. */
export interface Claim {
  upload_id: number;
  message_id: number;
  timestamp: number;
}

/** A message that gives access to a file. */
export interface ClaimingMessage {
  upload_id: number;
  id: number;
  /** null: direct. */
  channel_id: number | null;
}

export interface UploadStore {
  create(upload: NewUpload): Promise<number>;
  /** Completes a file and counts its bytes. False if it is deleted or already complete. */
  complete(id: number, facts: UploadFacts): Promise<boolean>;
  byId(id: number): Promise<Upload | undefined>;
  /** The newest complete one. */
  newest(): Promise<Upload | undefined>;
  /** Complete or not. */
  byKey(fileKey: string): Promise<Upload | undefined>;
  /** Complete ones. */
  byKeys(fileKeys: readonly string[]): Promise<Upload[]>;
  /** Complete ones of an account below an id, newest first. */
  ofOwner(ownerId: number, belowId: number, limit: number): Promise<Upload[]>;
  /** Bytes of all complete files together. */
  spaceUsed(): Promise<number>;
  /** Deletes a file, unless it is complete. */
  discard(id: number): Promise<void>;
  /** Deletes files with all links to them. */
  remove(ids: readonly number[]): Promise<void>;
  /** Adds links from messages to files. Existing links stay. */
  claim(claims: readonly { message_id: number; upload_id: number }[]): Promise<void>;
  /** The files that messages link to. */
  claimedBy(messageIds: readonly number[]): Promise<Upload[]>;
  /** Removes links of messages, except to `kept`. Files without links are checked at `collectMs`. */
  release(messageIds: readonly number[], collectMs: number, kept?: readonly number[]): Promise<void>;
  /** The newest messages that link to each of the files, newest first. */
  newestClaims(ids: readonly number[], limitOfEach: number): Promise<Claim[]>;
  /**
   * Messages that decide whether the user may read the files: for each file and channel the newest, and the newest that
   * the user received. Reads only the newest `lookedAt` messages of each file.
   */
  claimingMessages(ids: readonly number[], userId: number, lookedAt: number): Promise<ClaimingMessage[]>;
  /** Whether a message in a web-public channel links to the file. */
  isWebPublic(id: number): Promise<boolean>;
  /** Time of the next check of a file in milliseconds. */
  nextCollection(): Promise<number | undefined>;
  /** Files whose check is due, complete or not, longest due first. */
  toCollect(nowMs: number, limit: number): Promise<Upload[]>;
  /** The files that are used by messages, or by drafts or scheduled messages of their owner. */
  wanted(ids: readonly number[]): Promise<number[]>;
  /** Sets the next check of the files. Files with links from messages are not checked any more. */
  postpone(ids: readonly number[], collectMs: number): Promise<void>;
}

/**
 * Unfinished resumable uploads. One request at a time, in any process, holds the lease of an upload and may write it.
 * The holder renews it at short intervals, so that other requests need not wait long after a crash.
 */
export interface ResumableUploadStore {
  /** @param size total size in bytes */
  create(uploadId: number, ownerId: number, size: number): Promise<void>;
  /** Total size in bytes. undefined if there is no such upload. */
  sizeOf(uploadId: number): Promise<number | undefined>;
  /** Total size of all unfinished uploads in bytes. */
  space(): Promise<number>;
  /** Number of unfinished uploads of an account, counted up to the limit. */
  countOf(ownerId: number, limit: number): Promise<number>;
  /** Takes the lease. False if another request holds it: that request is then asked to release it. */
  acquire(uploadId: number, holder: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Renews the lease. Returns whether the holder still has it, and whether another request asks for it. */
  renew(uploadId: number, holder: string, untilMs: number): Promise<LeaseState>;
  /** Releases the lease. False if the lease is lost, or the upload is deleted or complete. */
  release(uploadId: number, holder: string): Promise<boolean>;
  /** Deletes the record of a complete upload. */
  remove(uploadId: number): Promise<void>;
}

export type LeaseState = 'held' | 'asked-for' | 'lost';
