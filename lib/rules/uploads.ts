export const UPLOADS = '/user_uploads';

const ADDRESS = /^([0-9]{1,9}\/[0-9a-f]{1,2}\/[\w-]{24})\/([^/]+)$/;

/** The parts of a URL after `/user_uploads/`. */
interface UploadAddress {
  file_key: string;
  file_name: string;
}

export const pathIdOf = ({ file_key, file_name }: UploadAddress) => `${file_key}/${file_name}`;

export function readPathId(pathId: string): UploadAddress | undefined {
  const [, file_key, file_name] = ADDRESS.exec(pathId) ?? [];
  return file_key === undefined || file_name === undefined ? undefined : { file_key, file_name };
}

export const UPLOADS_REALM = 1;
/** How long a temporary URL works, in seconds. */
export const TEMPORARY_SECONDS = 60;

/** Sizes of thumbnails in messages, by the last part of their URL. Clients choose a size. */
export const THUMBNAILS = {
  '840x560-anim.webp': { width: 840, height: 560, isAnimated: true },
  '840x560.webp': { width: 840, height: 560, isAnimated: false },
} as const;

export type ThumbnailName = keyof typeof THUMBNAILS;

/** In bytes of UTF-8. File systems and stores accept a little more, which leaves room for their own suffixes. */
const MAX_FILE_NAME_BYTES = 200;
/** In code points, for the original name. */
const MAX_NAME_LENGTH = 255;
const NAMELESS = 'uploaded-file';

/**
 * The URL of a file in messages, not percent-encoded. Clients resolve it against the host, so it includes the path at
 * which the chat is mounted.
 * @param sitePath that path, without a trailing slash
 * @param way path before the path of the file, such as `/thumbnail`
 */
export function uploadUrl(upload: UploadAddress, sitePath = '', way = ''): string {
  return `${sitePath}${UPLOADS}${way}/${pathIdOf(upload)}`;
}

/** The name of a file without folders, control and invisible characters. Some clients send it percent-encoded. */
export function displayName(given: string): string {
  const name = decoded(given)
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu, '')
    .trim();
  const characters = [...name];
  return (characters.length > MAX_NAME_LENGTH ? characters.slice(0, MAX_NAME_LENGTH).join('') : name) || NAMELESS;
}

/** The last part of a file's URL: letters of any script, digits, `_`, `.` and `-`. Keeps the file extension. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const bounded = shortened(plain);
  return /^\.{0,2}$/.test(bounded) ? NAMELESS : bounded;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  const kept: string[] = [];
  let left = MAX_FILE_NAME_BYTES - Buffer.byteLength(ending);
  for (const character of name) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept.push(character);
  }
  return kept.join('') + ending;
}

/** The text without percent escapes, or the same text if an escape is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
