import type { DownloadedFile, DownloadOptions } from '../chat/download.ts';
import type { Session } from '../chat/session.ts';
import type { Platform } from './platform.ts';

interface DownloadContext {
  readonly site: string;
  readonly login: Pick<Platform, 'request'>;
  readonly session: Session;
  /** `readAnswer`. As an import, bundlers would put it into the file that pages with only a store load. */
  readAnswer(site: string, status: number, text: string): object;
}

/** Downloads an uploaded file by its temporary address. @throws ChatError, Unreachable */
export async function downloadFile(
  { site, login, session, readAnswer }: DownloadContext,
  pathId: string,
  { range, signal }: DownloadOptions,
): Promise<DownloadedFile> {
  const [realm_id_str = '', ...rest] = pathId.split('/');
  const { url } = await session.uploads.getTemporaryUrl({ realm_id_str, filename: rest.join('/') }, { signal });
  const { href, pathname } = new URL(url, site);
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const answer = await login.request(href, { method: 'GET', headers, isPublic: true, signal });
  const { status, content, header } = answer;
  if (status !== (range ? 206 : 200)) readAnswer(site, status, await answer.text(() => undefined));
  return {
    name: nameIn(header('content-disposition') ?? '') ?? decodeURIComponent(pathname.split('/').at(-1) ?? ''),
    type: (header('content-type') ?? 'application/octet-stream').replace(/;.*$/s, ''),
    size: Number(header('content-length') ?? Number.NaN),
    content,
  };
}

/** Servers write names with non-ASCII characters as `filename*=UTF-8''…`, and others in quotes. */
function nameIn(disposition: string): string | undefined {
  const encoded = /;\s*filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /;\s*filename=([^;"\s]+)/i.exec(disposition)?.[1];
}
