/**
 * Normalizes the URL of a server: keeps the path and removes trailing slashes. Undefined if the text is not an http or
 * https URL with a host, or has a login, query or hash.
 * @param base URL of the page, to resolve relative URLs
 */
export function siteIn(text: string, base?: string): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text, base);
  const isSite = /^https?:$/.test(protocol) && username + password + search + hash === '';
  return isSite ? origin + pathname.replace(/\/+$/, '') : undefined;
}

/** `/chat/api/v1` becomes `/chat`: users often copy the URL of the API. Keeps a host named `api`. */
export const withoutApiPath = (site: string) => site.replace(/\/+$/, '').replace(/(?<![:/])\/+api(\/+v1)?$/, '');

/** Like siteIn(), for the value of an option. @throws TypeError if the URL is not valid */
export function siteOf(option: string, text: string, base?: string): string {
  const site = siteIn(text, base);
  if (site !== undefined) return site;
  // The URL may contain a password, which must not appear in logs.
  const given = text.includes('@') ? 'The given value' : `"${text}"`;
  throw new TypeError(
    `${option} must be a URL such as https://chat.example.com or http://localhost:9991/chat: with http:// or https://, and without login, query and hash. ${given} is not.`,
  );
}
