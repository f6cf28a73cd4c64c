import type { Setting } from './environment.ts';
import { UsageError } from './failure.ts';

export const isPostgres = (location: string) => /^postgres(ql)?:\/\//i.test(location);

/** Parameters of an address that carry a secret: `password`, `sslpassword`. */
const SECRET = /password|passphrase/i;

/** The database for messages and logs, without passwords. Always print this, never the address itself. */
export function withoutPassword(location: string): string {
  if (!isPostgres(location)) return location;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  // An "@" after the host may be the end of a password with an unescaped "/", "?" or "#". Print nothing of it.
  if (!url || /@/.test(url.pathname + url.hash) || (url.username === '' && /@/.test(url.search))) {
    return 'postgres://...';
  }
  const secrets = [...url.searchParams.keys()].filter((name) => SECRET.test(name));
  if (url.password === '' && secrets.length === 0) return location;
  url.password = '';
  for (const name of secrets) url.searchParams.delete(name);
  return url.href;
}

/**
 * Adds the schema from the option or the variable to the address, as `?schema=NAME`.
 * @throws UsageError for a SQLite file, or an address with another schema
 */
export function withSchema(location: string, schema: Setting | undefined): string {
  if (!schema) return location;
  const { value, source } = schema;
  const leaveOut = source === '--schema' ? 'Leave out --schema' : `Unset ${source}`;
  if (!isPostgres(location)) {
    throw new UsageError(
      `${source} works only with PostgreSQL, but the database is a SQLite file.`,
      `${leaveOut}, or use a PostgreSQL address such as postgres://chat@db/chat.`,
    );
  }
  const [, address = '', hash = ''] = /^([^#]*)(.*)$/s.exec(location) ?? [];
  const [, query] = address.split('?', 2);
  const named = new URLSearchParams(query).get('schema');
  if (named !== null && named !== value) {
    throw new UsageError(
      `${source} is ${value}, but the address of the database has schema=${named}.`,
      `${leaveOut}, or remove schema from the address.`,
    );
  }
  if (named !== null) return location;
  return `${address}${query === undefined ? '?' : '&'}schema=${encodeURIComponent(value)}${hash}`;
}
