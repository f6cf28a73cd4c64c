import { existsSync } from 'node:fs';
import { StorageError } from '../storage-error.ts';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** Parameters of an address, as libpq has them, and `schema`, which is ours. */
const PARAMETERS = [
  ...[
    'host',
    'port',
    'user',
    'password',
    'application_name',
    'fallback_application_name',
    'client_encoding',
    'options',
  ],
  ...['sslmode', 'sslnegotiation', ...SSL_FILES, 'schema'],
];
const SEVERAL =
  'Give one address that leads to the primary, such as that of HAProxy, of a pooler or of your hosting provider.';

export interface PostgresAddress {
  /** For pg, without what is ours. */
  url: string;
  schema: string | undefined;
  /** Goes on without TLS where the server has none. */
  prefersTls: boolean;
}

/**
 * Reads an address such as `postgres://user:password@host:5432/database?sslmode=verify-full&schema=chat`. `sslmode` means
 * what it means for libpq.
 * @throws StorageError `bad-address`, which names what is wrong, and never the password
 */
export function readAddress(text: string): PostgresAddress {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text) ?? [];
  if (authority.includes(',')) throw bad(`names several servers: ${authority}. ${SEVERAL}`);
  const [, port] = /:(\d+)$/.exec(authority) ?? [];
  if (port !== undefined) checkPort(port);
  // A socket has no host: `postgres://user@/database?host=/run/postgresql`.
  const url = URL.canParse(text) ? new URL(text) : parsed(text.replace('@/', '@localhost/'));
  const { searchParams } = url;
  for (const name of searchParams.keys()) checkParameter(name);
  for (const name of ['host', 'port']) {
    if (searchParams.get(name)?.includes(',')) throw bad(`names several servers in ${name}. ${SEVERAL}`);
  }
  const givenPort = searchParams.get('port');
  if (givenPort !== null) checkPort(givenPort);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw bad(`has sslmode=${mode}. It is one of ${SSL_MODES.join(', ')}.`);
  }
  for (const name of SSL_FILES) {
    const path = searchParams.get(name);
    if (path !== null && !existsSync(path)) throw bad(`has ${name}=${path}, and there is no such file.`);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw bad('has sslmode=verify-ca, which needs sslrootcert: a file with the certificate of the authority.');
  }
  const schema = searchParams.get('schema') ?? undefined;
  if (schema === '') throw bad('has an empty schema.');
  const query = text.indexOf('?');
  searchParams.delete('schema');
  if (mode !== null) searchParams.set('uselibpqcompat', 'true');
  const rest = searchParams.toString();
  return {
    url: `${query === -1 ? text : text.slice(0, query)}${rest === '' ? '' : `?${rest}`}`,
    schema,
    prefersTls: mode === 'prefer',
  };
}

function parsed(text: string): URL {
  if (!URL.canParse(text)) {
    throw bad('cannot be read. Write postgres://user:password@host:5432/database, with % codes for /, ?, # and @.');
  }
  return new URL(text);
}

function checkPort(text: string): void {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 65_535) {
    throw bad(`has the port ${text}. Ports go from 1 to 65535.`);
  }
}

function checkParameter(name: string): void {
  if (PARAMETERS.includes(name)) return;
  if (name === 'target_session_attrs') throw bad(`has target_session_attrs, which is not supported. ${SEVERAL}`);
  throw bad(`has the parameter ${name}, which is not known. Known are ${PARAMETERS.join(', ')}.`);
}

const bad = (what: string) => new StorageError(`The address of PostgreSQL ${what}`, 'bad-address');
