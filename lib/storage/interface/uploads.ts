/** A file that somebody uploaded. Its bytes are in the file store, under its key. */
export interface Upload {
  id: number;
  owner_id: number;
  /** Under it the bytes are stored: letters, digits, `-`, `_` and slashes. Nobody can guess it, and none is used again. */
  file_key: string;
  /** The last part of its address. */
  file_name: string;
  /** As it was called where it came from. */
  name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Of a picture, in pixels and as it is shown; null for others. */
  width: number | null;
  height: number | null;
  /** More than one: it moves; 0: what is called a picture cannot be shown as one. null where nobody could tell. */
  frames: number | null;
  /** All of its bytes have been stored; before that nobody is told of it. */
  is_complete: boolean;
  created_ms: number;
  /** When it is looked at whether it is still wanted; null while a message links to it. */
  collect_ms: number | null;
}

export type NewUpload = Omit<Upload, 'id' | 'size' | 'width' | 'height' | 'frames' | 'is_complete'>;

/** What is known of a file once all of it has arrived. */
export type UploadFacts = Pick<Upload, 'size' | 'width' | 'height' | 'frames' | 'collect_ms'>;

/** A message that links to a file. */
export interface Claim {
  upload_id: number;
  message_id: number;
  /** Seconds. */
  timestamp: number;
}

/** A message by which somebody may have a file. */
export interface ClaimingMessage {
  upload_id: number;
  id: number;
  /** null: direct. */
  channel_id: number | null;
}

export interface UploadStore {
  /** A file of which nothing has arrived. */
  create(upload: NewUpload): Promise<number>;
  /** False when it is gone, or complete already. Its bytes count from now on. */
  complete(id: number, facts: UploadFacts): Promise<boolean>;
  byId(id: number): Promise<Upload | undefined>;
  /** Complete or not. */
  byKey(fileKey: string): Promise<Upload | undefined>;
  /** Complete ones. */
  byKeys(fileKeys: readonly string[]): Promise<Upload[]>;
  /** Complete ones of an account below an id, newest first. */
  ofOwner(ownerId: number, belowId: number, limit: number): Promise<Upload[]>;
  /** Bytes of all complete files together. */
  spaceUsed(): Promise<number>;
  /** Forgets files with all that links to them. */
  remove(ids: readonly number[]): Promise<void>;
  /** Messages link to these files from now on, and to those they linked to already. */
  claim(claims: readonly { message_id: number; upload_id: number }[]): Promise<void>;
  /** The files that messages link to. */
  claimedBy(messageIds: readonly number[]): Promise<Upload[]>;
  /** Messages link to no files any more but to `kept`. What nothing links to is looked at when `collectMs` comes. */
  release(messageIds: readonly number[], collectMs: number, kept?: readonly number[]): Promise<void>;
  /** The newest messages that link to each of the files, newest first. */
  newestClaims(ids: readonly number[], limitOfEach: number): Promise<Claim[]>;
  /**
   * Messages that decide whether the user may have the files: of each file in each channel the newest, and the newest
   * that the user received. Of each file so many messages are looked at, the newest.
   */
  claimingMessages(ids: readonly number[], userId: number, lookedAt: number): Promise<ClaimingMessage[]>;
  /** Whether a message in a channel that is open to the web links to the file. */
  isWebPublic(id: number): Promise<boolean>;
  /** When the next file is to be looked at, milliseconds. */
  nextCollection(): Promise<number | undefined>;
  /** Files to be looked at by then, complete or not, the longest due first. */
  toCollect(nowMs: number, limit: number): Promise<Upload[]>;
  /** Of the files, those that messages link to, or that a draft or scheduled message of their owner names. */
  wanted(ids: readonly number[]): Promise<number[]>;
  /** The files are looked at again at `collectMs`; those that messages link to are not looked at any more. */
  postpone(ids: readonly number[], collectMs: number): Promise<void>;
}
