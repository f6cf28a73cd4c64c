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
  const { searchParams } = parse(text);
  for (const [name, value] of searchParams) checkParameter(name, value);
  const mode = searchParams.get('sslmode');
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw bad('has sslmode=verify-ca, which needs sslrootcert: a file with the certificate of the authority.');
  }
  const own = new Map(OURS.map((name) => [name, searchParams.get(name) ?? undefined]));
  for (const name of OURS) searchParams.delete(name);
  if (mode !== null) searchParams.set('uselibpqcompat', 'true');
  const schema = own.get('schema');
  const address: PostgresAddress = { url: withQuery(text, searchParams), schema, prefersTls: mode === 'prefer' };
  const prepared = own.get('prepared_statements');
  if (prepared !== undefined) address.preparedStatements = prepared === 'true';
  const listen = ['host', 'port'].flatMap((name): [string, string][] => {
    const value = own.get(`listen_${name}`);
    return value === undefined ? [] : [[name, value]];
  });
  for (const [name, value] of listen) searchParams.set(name, value);
  if (listen.length > 0) address.listenUrl = withQuery(text, searchParams);
  return address;
}

function parse(text: string): URL {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text) ?? [];
  if (authority.includes(',')) throw bad(`names several servers. ${SEVERAL}`);
  // Not repeated in the message: it may be the beginning of a password.
  const [, port] = /:(\d+)$/.exec(authority) ?? [];
  if (port !== undefined && !isPort(port)) throw bad('has a port out of range. Ports go from 1 to 65535.');
  // A socket has no host: `postgres://user@/database?host=/run/postgresql`.
  const full = URL.canParse(text) ? text : text.replace('@/', '@localhost/');
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || /@/.test(url.pathname + url.hash)) throw bad(UNREADABLE);
  return url;
}

/** What is wrong with a parameter, after "The address of PostgreSQL". Other parameters may have any value. */
const PROBLEMS: Readonly<Record<string, (value: string, name: string) => string | false>> = {
  host: severalIn,
  port: (value, name) => severalIn(value, name) || portProblem(value),
  listen_port: portProblem,
  sslmode: (mode) => !SSL_MODES.includes(mode) && `has sslmode=${mode}. It is one of ${SSL_MODES.join(', ')}.`,
  ...Object.fromEntries(SSL_FILES.map((name) => [name, fileProblem])),
  schema: (schema) => schema === '' && 'has an empty schema.',
  prepared_statements: (value) =>
    !/^(true|false)$/.test(value) && `has prepared_statements=${value}. It is true or false.`,
};

function checkParameter(name: string, value: string): void {
  if (name === 'target_session_attrs') throw bad(`has target_session_attrs, which is not supported. ${SEVERAL}`);
  if (!PARAMETERS.includes(name))
    throw bad(`has the unknown parameter ${name}. Known parameters: ${PARAMETERS.join(', ')}.`);
  const problem = PROBLEMS[name]?.(value, name);
  if (problem) throw bad(problem);
}

function severalIn(value: string, name: string): string | false {
  return value.includes(',') && `names several servers in ${name}. ${SEVERAL}`;
}

function portProblem(text: string): string | false {
  return !isPort(text) && `has the port ${text}. Ports go from 1 to 65535.`;
}

function fileProblem(path: string, name: string): string | false {
  return !existsSync(path) && `has ${name}=${path}, but there is no such file.`;
}

const isPort = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const bad = (what: string) => new StorageError(`The address of PostgreSQL ${what}`, 'bad-address');

function withQuery(text: string, parameters: URLSearchParams): string {
  const [place] = text.split('?', 1);
  return parameters.size === 0 ? `${place}` : `${place}?${parameters}`;
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
