import { readPathId, UPLOADS } from '../rules/upload-addresses.ts';
import { BadRequest } from './errors.ts';

/** What of a file to get. Default: all of it. */
export interface DownloadOptions {
  /** A part of it, both ends included, counted in bytes from 0; an end beyond the file's is that of the file. */
  range?: { start: number; end?: number };
}

/** An uploaded file on its way. */
export interface DownloadedFile {
  /** As it was called when it was uploaded. */
  name: string;
  /** Media type. */
  type: string;
  /** Bytes that come: of all of it, or of the part. */
  size: number;
  /** Its pieces, as fast as they are taken. Breaking off in the middle lets the file go. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * What an address of a file says after `/user_uploads/`: in full, below the site, or that part alone.
 * @throws BadRequest for an address of something else
 */
export function pathIdIn(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
  const at = path.indexOf(`${UPLOADS}/`);
  const pathId = decoded(at === -1 ? path : path.slice(at + UPLOADS.length + 1)).replace(/^download\//, '');
  if (!readPathId(pathId)) throw new BadRequest(`"${address.slice(0, 200)}" is no address of an uploaded file.`);
  return pathId;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
