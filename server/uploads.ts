import type { IncomingMessage } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import { NotFound, UPLOADS } from '../lib/internal.ts';
import type { Page } from './page.ts';
import type { ListenerContext } from './pipeline.ts';
import { decodeSegment } from './router.ts';

/** Types that browsers can show without running their content. They download all others. */
const SHOWN: ReadonlySet<string> = new Set([
  'application/pdf',
  'text/plain',
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp', 'x-icon'].map((type) => `image/${type}`),
  ...['aac', 'flac', 'mp3', 'mp4', 'mpeg', 'ogg', 'opus', 'wav', 'wave', 'webm'].map((type) => `audio/${type}`),
  ...['x-aac', 'x-flac', 'x-m4a', 'x-wav'].map((type) => `audio/${type}`),
  ...['3gpp', 'mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-m4v', 'x-matroska'].map((type) => `video/${type}`),
]);

/** Parts of the path of a file: `1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png`. */
const PATH_PARTS = 4;

const NOTHING = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/**
 * Serves `/user_uploads/1/4e/…/cat.png` to users with access to the file, `/user_uploads/temporary/TOKEN/…` to everyone
 * with this URL, `/user_uploads/download/…` as a download, and `/user_uploads/thumbnail/…/840x560.webp` as a smaller
 * image. Temporary URLs have smaller images too: `/user_uploads/temporary/TOKEN/…/840x560.webp`.
 */
export async function uploadedFile(
  { transport, authentication, rateLimits }: ListenerContext,
  path: string,
  req: IncomingMessage,
): Promise<Page> {
  const [kind = '', ...rest] = path
    .slice(UPLOADS.length + 1)
    .split('/')
    .map(decodeSegment);
  const token = kind === 'temporary' ? rest.shift() : undefined;
  const isThumbnail = kind === 'thumbnail' || (kind === 'temporary' && rest.length > PATH_PARTS);
  const thumbnail = isThumbnail ? rest.pop() : undefined;
  const pathId = (/^(?:temporary|thumbnail|download)$/.test(kind) ? rest : [kind, ...rest]).join('/');
  if (pathId === '') throw new NotFound(path.slice(0, 200));
  const caller = token === undefined ? await authentication.identify(req, 'spectator') : { userId: null };
  await rateLimits?.take(req, caller.userId, 'files_by_user');
  const file = await transport.openUpload({ ...caller, client: 'download' }, pathId, { token, thumbnail });
  const type = file.content_type;
  const isShown = kind !== 'download' && SHOWN.has(type);
  return {
    bytes: file,
    headers: {
      'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      'Content-Disposition': contentDisposition(file.name, { type: isShown ? 'inline' : 'attachment' }),
      // Browsers do not show PDF files in a sandbox.
      'Content-Security-Policy': type === 'application/pdf' ? `${NOTHING}; object-src 'self'` : `sandbox; ${NOTHING}`,
      // Check access again for every request.
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie, Origin',
    },
  };
}
