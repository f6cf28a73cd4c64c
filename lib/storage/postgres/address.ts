import { existsSync } from 'node:fs';
import { StorageError } from '../storage-error.ts';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
const OURS = ['schema', 'prepared_statements', 'listen_host', 'listen_port'];
/** Parameters of libpq that pg supports, and our own parameters. */
const PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'options', 'client_encoding'],
  ...['application_name', 'fallback_application_name'],
  ...['sslmode', 'sslnegotiation', ...SSL_FILES, ...OURS],
];
const SEVERAL =
  'Give one address that leads to the primary, for example that of HAProxy, a pooler or your hosting provider.';

const UNREADABLE =
  'cannot be read. Write postgres://user:password@host:5432/database, and in the password %2F for /, %3F for ?, %23 for # and %40 for @.';

interface PostgresAddress {
  /** Address for pg, without our own parameters. */
  url: string;
  schema: string | undefined;
  /** `sslmode=prefer`: connects without TLS if the server does not support it. */
  prefersTls: boolean;
  /** The address for notifications, if `listen_host` or `listen_port` is given. */
  listenUrl?: string;
  preparedStatements?: boolean;
}

/**
 * Reads an address like `postgres://user:password@host:5432/database?sslmode=verify-full&schema=chat`. `sslmode` has
 * the same meaning as for libpq.
 * @throws StorageError `bad-address`; the message names the parameter, and never contains the password
 */
export function readAddress(text: string): PostgresAddress {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text) ?? [];
  if (authority.includes(',')) throw bad(`names several servers. ${SEVERAL}`);
  // Not repeated in the message: it may be the beginning of a password.
  const [, port] = /:(\d+)$/.exec(authority) ?? [];
  if (port !== undefined && !isPort(port)) throw bad('has a port out of range. Ports go from 1 to 65535.');
  // A socket has no host: `postgres://user@/database?host=/run/postgresql`.
  const full = URL.canParse(text) ? text : text.replace('@/', '@localhost/');
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || /@/.test(url.pathname + url.hash)) throw bad(UNREADABLE);
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
    if (path !== null && !existsSync(path)) throw bad(`has ${name}=${path}, but there is no such file.`);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw bad('has sslmode=verify-ca, which needs sslrootcert: a file with the certificate of the authority.');
  }
  const schema = searchParams.get('schema') ?? undefined;
  if (schema === '') throw bad('has an empty schema.');
  const prepared = searchParams.get('prepared_statements');
  if (prepared !== null && !/^(true|false)$/.test(prepared)) {
    throw bad(`has prepared_statements=${prepared}. It is true or false.`);
  }
  const listen = { host: searchParams.get('listen_host'), port: searchParams.get('listen_port') };
  if (listen.port !== null) checkPort(listen.port);
  for (const name of OURS) searchParams.delete(name);
  if (mode !== null) searchParams.set('uselibpqcompat', 'true');
  const address: PostgresAddress = { url: withQuery(text, searchParams), schema, prefersTls: mode === 'prefer' };
  if (prepared !== null) address.preparedStatements = prepared === 'true';
  if (listen.host !== null || listen.port !== null) {
    for (const [name, value] of Object.entries(listen)) if (value !== null) searchParams.set(name, value);
    address.listenUrl = withQuery(text, searchParams);
  }
  return address;
}

/** Bytes. PostgreSQL cuts longer names off, so that two organizations would share their tables. */
const MAX_SCHEMA = 63;

/** @throws StorageError `bad-address` */
export function checkSchema(schema: string): void {
  const problem =
    (schema === '' && 'is empty') ||
    (Buffer.byteLength(schema) > MAX_SCHEMA && `is longer than ${MAX_SCHEMA} bytes`) ||
    (schema.includes('\0') && 'contains a NUL character');
  if (problem) throw new StorageError(`The schema "${schema.slice(0, 100)}" ${problem}.`, 'bad-address');
}

function withQuery(text: string, parameters: URLSearchParams): string {
  const place = text.split('?', 1)[0] as string;
  return parameters.size === 0 ? place : `${place}?${parameters}`;
}

function checkPort(text: string): void {
  if (!isPort(text)) throw bad(`has the port ${text}. Ports go from 1 to 65535.`);
}

function checkParameter(name: string): void {
  if (PARAMETERS.includes(name)) return;
  if (name === 'target_session_attrs') throw bad(`has target_session_attrs, which is not supported. ${SEVERAL}`);
  throw bad(`has the unknown parameter ${name}. Known parameters: ${PARAMETERS.join(', ')}.`);
}

const isPort = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const bad = (what: string) => new StorageError(`The address of PostgreSQL ${what}`, 'bad-address');
