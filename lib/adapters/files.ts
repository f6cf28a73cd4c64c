/** A range of bytes, counted from 0, with both ends included. */
export interface ByteRange {
  /** First byte. */
  start: number;
  /** Last byte. */
  end: number;
}

/**
 * Stores the bytes of uploaded files. Use `localFiles()` or `s3Files()`, or write your own. The chat creates the keys:
 * segments of letters, digits, `-`, `_` and `.`, separated by slashes, at most 200 characters. No segment starts with a
 * dot. The content of a key never changes.
 */
export interface FileStore {
  /**
   * Stores the content. Resolves when it would survive a power failure. The key must not be readable before that. If
   * reading the content or writing fails, leaves nothing behind and throws the error. Must not buffer more content
   * than it can write.
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Opens a file, or a range of it. undefined if there is none. Return a stream, or an iterable that closes the file when
   * its reader stops early.
   */
  read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Size in bytes. undefined if there is no file. */
  size(key: string): Promise<number | undefined>;
  /** Deletes a file, complete or not. Does nothing if there is none. Readers may finish streams that are open. */
  remove(key: string): Promise<void>;
  /** Throws if files cannot be stored now. The message is for the operator. Absent: not known. */
  check?(): Promise<void>;
  /** Whether it buffers megabytes of each file in memory. If so, the chat stores fewer files at a time. */
  readonly gathersParts?: boolean;
  /** For uploads in several requests. Without it, a file must be uploaded in one request. */
  readonly appendable?: AppendableStore;
}

/**
 * Files that arrive in several parts. A file is not readable under its key before `finish`. The chat makes one call at
 * a time for each key. The process may crash during any of them.
 */
export interface AppendableStore {
  /** Creates an empty file. */
  begin(key: string): Promise<void>;
  /** Bytes stored so far that would survive a power failure. After `finish`: the file size. undefined: no such file. */
  offset(key: string): Promise<number | undefined>;
  /**
   * Appends content. Resolves when it would survive a power failure. If reading the content fails, keeps the bytes
   * before the failure and throws the error.
   * @param offset the current end of the file, as returned by `offset`
   */
  append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Completes the file and makes it readable under its key. Does nothing if it is already finished. */
  finish(key: string): Promise<void>;
}
