import type { RenderOptions } from './data.ts';

/** Schemes that HTML considers safe for other programs. Without those that run scripts or contain documents. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ftp', 'file', 'bitcoin', 'geo', 'im', 'irc', 'ircs', 'magnet', 'mailto', 'matrix', 'mms'],
  ...['news', 'nntp', 'openpgp4fpr', 'sip', 'sms', 'smsto', 'ssh', 'tel', 'urn', 'webcal', 'wtai', 'xmpp'],
]);

/**
 * The target of a link. undefined if it must not be a link. Allowed are web and mail addresses, other allowed schemes
 * and paths in the organization. Without a scheme, it is a web address.
 */
export function linkTarget(written: string, options: RenderOptions): string | undefined {
  const url = written
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .replaceAll(' ', '%20');
  const target = withScheme(url);
  return target === undefined ? undefined : relativeTo(options.realmUrl, target);
}

function withScheme(url: string): string | undefined {
  if (url === '') return undefined;
  const written = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  if (written !== undefined) {
    const scheme = written.toLowerCase();
    return ALLOWED_SCHEMES.has(scheme) ? scheme + url.slice(written.length) : undefined;
  }
  if (url.startsWith('#')) return url.length > 1 ? url : undefined;
  // Browsers treat backslashes like slashes, and two of them as the start of a host name.
  if (/^[/\\]{2}/.test(url)) return `http://${url.replace(/^[/\\]+/, '')}`;
  if (url.startsWith('/')) return url;
  if (/^[^/?#]*@/.test(url)) return `mailto:${url}`;
  return `http://${url}`;
}

function relativeTo(realmUrl: string | undefined, url: string): string {
  if (!realmUrl || !url.startsWith(`${realmUrl}/`)) return url;
  const rest = url.slice(realmUrl.length + 1);
  if (rest.startsWith('#')) return rest;
  return rest.startsWith('user_uploads/') ? `${sitePath(realmUrl)}/${rest}` : url;
}

/** The path after `/user_uploads/` of an address within the organization. */
export function uploadPath(url: string, options: RenderOptions): string | undefined {
  const { realmUrl = '' } = options;
  const start = [realmUrl, sitePath(realmUrl)].find((place) => place !== '' && url.startsWith(`${place}/`)) ?? '';
  return /^\/user_uploads\/([^?#]+)/.exec(url.slice(start.length))?.[1];
}

/** Path of the organization on its host. Empty at the root. */
const sitePath = (realmUrl: string) => realmUrl.replace(/^https?:\/\/[^/]*/i, '');

/** Key of a file: its path without the file name. */
export function uploadKey(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

export function isExternal(url: string): boolean {
  return /^https?:/i.test(url);
}
