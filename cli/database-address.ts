export const isPostgres = (location: string) => /^postgres(ql)?:\/\//i.test(location);

/** Parameters of an address that carry a secret: `password`, `sslpassword`. */
const SECRET = /password|passphrase/i;

/** A database as messages and logs may name it: whatever prints one prints this. */
export function withoutPassword(location: string): string {
  if (!isPostgres(location)) return location;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  // An "@" behind the host may end a password that holds a "/", "?" or "#" as it is.
  if (!url || /@/.test(url.pathname + url.hash) || (url.username === '' && /@/.test(url.search))) {
    return 'postgres://...';
  }
  const secrets = [...url.searchParams.keys()].filter((name) => SECRET.test(name));
  if (url.password === '' && secrets.length === 0) return location;
  url.password = '';
  for (const name of secrets) url.searchParams.delete(name);
  return url.href;
}
