/** A server's address as people write it: bare hosts get https, this machine http, a trailing slash goes. */
export function siteAddress(written: string): string {
  const bare = written.trim().replace(/\/+$/, '');
  if (/^https?:\/\//i.test(bare)) return bare;
  return `${/^localhost(:|\/|$)/i.test(bare) ? 'http' : 'https'}://${bare}`;
}
