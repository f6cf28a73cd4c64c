import type { Readable } from 'node:stream';

/** A part of a file, both ends included, counted in bytes from 0. */
export interface ByteRange {
  /** First byte. */
  start: number;
  /** Last byte. */
  end: number;
}

/**
 * Where the bytes of uploaded files are kept; `localFiles()` is the real one. Keys are made by the chat: segments of
 * letters, digits, `-`, `_` and `.` with slashes between them, at most 200 characters, none beginning with a dot.
 * What is stored under a key never changes.
 */
export interface FileStore {
  /**
   * Stores all of the content. Resolves once it survives a loss of power; before that nothing is found under the key.
   * Where the content fails or the writing does, nothing is left and the error is thrown. It takes no more of the
   * content than it can write.
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens what is stored, or a part of it; undefined where there is nothing. A stream that is destroyed holds nothing open. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Bytes; undefined where there is nothing. */
  size(key: string): Promise<number | undefined>;
  /** Also where there is nothing, or not all of it. What others are reading at the moment they may read to its end. */
  remove(key: string): Promise<void>;
  /** Whether it keeps megabytes of a content in memory until they are stored: then few are handed to it at a time. */
  readonly gathersParts?: boolean;
  /** Takes files in several goes; a store without it takes them whole. */
  readonly growing?: GrowingFiles;
}

/**
 * Files that arrive in several goes. Nothing of them is found under their key before `finish`. The chat sees to it that
 * one call at a time is made for a key, but a process may die in the middle of any of them.
 */
export interface GrowingFiles {
  /** An empty one. */
  begin(key: string): Promise<void>;
  /** Bytes that have been stored and survive a loss of power; of a finished one, all. Undefined where there is none. */
  offset(key: string): Promise<number | undefined>;
  /**
   * Adds the content, of which some may be stored already when it fails: all that came before is kept, and the error
   * is thrown. What was added survives a loss of power when it ends.
   * @param offset where the file ends, as `offset` told
   */
  append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** All of it has arrived, and it is found under its key from now on. Does nothing where it has been finished. */
  finish(key: string): Promise<void>;
}
