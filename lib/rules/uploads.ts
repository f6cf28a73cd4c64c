import { createHmac, timingSafeEqual } from 'node:crypto';
import { pathIdOf, UPLOADS, type UploadAddress } from './upload-addresses.ts';

export { pathIdOf, readPathId, UPLOADS, type UploadAddress } from './upload-addresses.ts';

/** The only organization that there is. */
export const UPLOADS_REALM = 1;
/** Seconds for which an address without a login works. */
export const TEMPORARY_SECONDS = 60;

/** Bytes of UTF-8: what file systems and stores take for one name, with room for endings of their own. */
const MAX_FILE_NAME_BYTES = 200;
/** Code points of a name as it was given. */
const MAX_NAME = 255;
const NAMELESS = 'uploaded-file';

/**
 * As it is written into messages; letters beyond ASCII are left to whoever sends it. Clients resolve it against the
 * host, so it has the path that the chat is mounted at.
 * @param sitePath that path, without a trailing slash
 * @param way what stands before the path of the file: how it is asked for
 */
export function uploadUrl(upload: UploadAddress, sitePath = '', way = ''): string {
  return `${sitePath}${UPLOADS}${way}/${pathIdOf(upload)}`;
}

/** The name of a file without folders, and without what turns text around, cannot be seen or ends a line; clients send some escaped. */
export function displayName(given: string): string {
  const name = unescaped(given)
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu, '')
    .trim();
  const characters = [...name];
  return (characters.length > MAX_NAME ? characters.slice(0, MAX_NAME).join('') : name) || NAMELESS;
}

/** The last part of a file's address: letters of any script, digits, `_`, `.` and `-`; what ends it is kept. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const bounded = shortened(plain);
  return /^\.{0,2}$/.test(bounded) ? NAMELESS : bounded;
}

/** The middle gives way, so that the ending stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  const kept: string[] = [];
  let left = MAX_FILE_NAME_BYTES - Buffer.byteLength(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept.push(character);
  }
  return kept.join('') + ending;
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What lets somebody read a file without a login until a time, seconds. */
export function temporaryToken(secret: string, pathId: string, expires: number): string {
  return `${expires}-${createHmac('sha256', secret).update(`upload:${expires}:${pathId}`).digest('hex')}`;
}

/** Whether such a token is for this file, and is still good at the time, milliseconds. */
export function isValidToken(secret: string, pathId: string, token: string, nowMs: number): boolean {
  const expires = Number(/^([0-9]{1,12})-/.exec(token)?.[1] ?? 0);
  if (expires * 1000 <= nowMs) return false;
  const [given, right] = [Buffer.from(token), Buffer.from(temporaryToken(secret, pathId, expires))];
  return given.length === right.length && timingSafeEqual(given, right);
}
