/**
 * A server's address in its usual form, without slashes at the end; a path is kept. Undefined where the text has no
 * host, is not of `http:` or `https:`, or has a login, a query or a hash.
 * @param base what an address that is not whole belongs to: the page that it stands in
 */
export function siteIn(text: string, base?: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return undefined;
  }
  const { protocol, username, password, search, hash, origin, pathname } = url;
  const isSite = /^https?:$/.test(protocol) && username + password + search + hash === '';
  return isSite ? origin + pathname.replace(/\/+$/, '') : undefined;
}

/**
 * The address of a server where that of its API was given, as people copy it: `/chat/api/v1` becomes `/chat`. A host
 * may be called `api`.
 */
export const withoutApiPath = (site: string) => site.replace(/\/+$/, '').replace(/(?<![:/])\/+api(\/+v1)?$/, '');

/**
 * Likewise, of an option of that name.
 * @throws TypeError where it is no such address
 */
export function siteOf(option: string, text: string, base?: string): string {
  const site = siteIn(text, base);
  if (site !== undefined) return site;
  // A login would otherwise stand in logs.
  const given = text.includes('@') ? 'What was given' : `"${text}"`;
  throw new TypeError(
    `${option} must be an address such as https://chat.example.com or http://localhost:9991/chat: with http:// or https://, and without login, query and hash. ${given} is not.`,
  );
}
