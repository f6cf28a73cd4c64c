import type { Setting } from './environment.ts';
import { UsageError } from './failure.ts';

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

/**
 * The address with the schema that an option or a variable names, as `?schema=NAME`.
 * @throws UsageError for a SQLite file, or an address with another schema
 */
export function withSchema(location: string, schema: Setting | undefined): string {
  if (!schema) return location;
  const { value, source } = schema;
  const leaveOut = source === '--schema' ? 'Leave out --schema' : `Unset ${source}`;
  if (!isPostgres(location)) {
    throw new UsageError(
      `${source} is for PostgreSQL, and the database is a SQLite file.`,
      `${leaveOut}, or name a database such as postgres://chat@db/chat.`,
    );
  }
  const [, address = '', hash = ''] = /^([^#]*)(.*)$/s.exec(location) ?? [];
  const [, query] = address.split('?', 2);
  const named = new URLSearchParams(query).get('schema');
  if (named !== null && named !== value) {
    throw new UsageError(
      `${source} is ${value}, and the address of the database says schema=${named}.`,
      `${leaveOut}, or take schema out of the address.`,
    );
  }
  if (named !== null) return location;
  return `${address}${query === undefined ? '?' : '&'}schema=${encodeURIComponent(value)}${hash}`;
}
