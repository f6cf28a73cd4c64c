import type { RenderOptions } from './data.ts';

/** Those that HTML calls safe to hand to other programs. What runs a script or is a document itself is not among them. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ftp', 'file', 'bitcoin', 'geo', 'im', 'irc', 'ircs', 'magnet', 'mailto', 'matrix', 'mms'],
  ...['news', 'nntp', 'openpgp4fpr', 'sip', 'sms', 'smsto', 'ssh', 'tel', 'urn', 'webcal', 'wtai', 'xmpp'],
]);

/**
 * The address a link leads to, undefined where there must be no link. Addresses of the web, of mail and of
 * other allowed schemes, places in the organization; what has no scheme is taken for a web address.
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
  // Browsers take a backslash for a slash, and two of them for the beginning of a host name.
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

/** The path that the organization is mounted at; empty at the root of a host. */
const sitePath = (realmUrl: string) => realmUrl.replace(/^https?:\/\/[^/]*/i, '');

/** What tells a file from all others: its path without its name. */
export function uploadKey(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

export function isExternal(url: string): boolean {
  return /^https?:/i.test(url);
}
