import { BadRequest } from '../base/errors.ts';
import type { AbortSignalLike } from '../base/platform-types.ts';
import { decoded, readPathId, UPLOADS } from '../rules/uploads.ts';

/** Options of `session.download`. */
export interface DownloadOptions {
  /** Byte range, counted from 0, with both ends included. Default: the whole file. `end` may exceed the file. */
  range?: { start: number; end?: number };
  /** Cancels the download, also while you read `content`. */
  signal?: AbortSignalLike | undefined;
}

/** An uploaded file, as a stream. */
export interface DownloadedFile {
  /** File name of the upload. */
  name: string;
  /** Media type. */
  type: string;
  /** Size of `content` in bytes: of the file, or of the range. */
  size: number;
  /** The bytes. To cancel the download, leave the loop: this closes the file. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * The part of a file address after `/user_uploads/`. Accepts a full URL, a path, or that part alone.
 * @throws BadRequest if the address is not that of an uploaded file
 */
export function pathIdIn(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
  const at = path.indexOf(`${UPLOADS}/`);
  const pathId = decoded(at === -1 ? path : path.slice(at + UPLOADS.length + 1)).replace(/^download\//, '');
  if (!readPathId(pathId)) throw new BadRequest(`"${address.slice(0, 200)}" is not the address of an uploaded file.`);
  return pathId;
}
