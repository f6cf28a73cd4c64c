import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EXIT, Failure, UsageError } from './failure.ts';
import { parseBoolean, parseZuliprc, type Zuliprc } from './zuliprc.ts';

/** The options every command takes. */
export interface ConnectionOptions {
  db?: string;
  user?: string;
  site?: string;
  apiKey?: string;
  configFile?: string;
  insecure?: boolean;
  baseUrl?: string;
}

export interface DatabaseConnection {
  kind: 'database';
  /** A file, or a `postgres://` address. */
  location: string;
  /** The first owner when absent. */
  user?: string;
  baseUrl?: string;
}

export interface SiteConnection {
  kind: 'site';
  site: string;
  email?: string;
  apiKey?: string;
  insecure: boolean;
}

export type Connection = DatabaseConnection | SiteConnection;

/** What the process finds around it; handed in by tests. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
}

export const processEnvironment: Environment = {
  env: process.env,
  home: homedir(),
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
};

/** Where a command goes, by option, then environment, then file. */
export function chooseConnection(
  options: ConnectionOptions,
  environment: Environment = processEnvironment,
): Connection {
  const env = (name: string) => environment.env[name] || undefined;
  const namesSite = options.site !== undefined || options.configFile !== undefined || options.apiKey !== undefined;
  if (options.db !== undefined && namesSite) {
    throw new UsageError('--db is a database, --site, --api-key and --config-file a server; give one of the two.');
  }
  const location = options.db ?? (namesSite ? undefined : env('CHATCTL_DB'));
  if (location !== undefined) {
    const baseUrl = options.baseUrl ?? env('CHATCTL_BASE_URL');
    return {
      kind: 'database',
      location,
      ...(options.user === undefined ? {} : { user: options.user }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
  }
  return chooseSite(options, env, environment);
}

function chooseSite(
  options: ConnectionOptions,
  env: (name: string) => string | undefined,
  environment: Environment,
): SiteConnection {
  const sources: Zuliprc[] = [
    {
      ...given('email', options.user),
      ...given('key', options.apiKey),
      ...given('site', options.site),
      ...given('insecure', options.insecure),
    },
    {
      ...given('email', env('ZULIP_EMAIL')),
      ...given('key', env('ZULIP_API_KEY')),
      ...given('site', env('ZULIP_SITE')),
    },
  ];
  const allow = env('ZULIP_ALLOW_INSECURE');
  if (allow !== undefined) (sources[1] as Zuliprc).insecure = parseBoolean(allow, 'ZULIP_ALLOW_INSECURE');
  const file = readConfiguration(options.configFile ?? env('ZULIP_CONFIG'), environment);
  if (file) sources.push(file);
  const written = sources.find((source) => source.site)?.site;
  if (written === undefined) {
    throw new UsageError(
      'No chat to talk to.',
      'Give --db FILE for a database, --site URL with --user and --api-key for a server, or --config-file FILE.',
    );
  }
  const site = normalizeSite(written);
  // A key goes only to the server, and with the account, it was written beside.
  const trusted = sources.filter((source) => source.site === undefined || normalizeSite(source.site) === site);
  const email = trusted.find((source) => source.email)?.email;
  const key = trusted.find((source) => source.key && (source.email === undefined || source.email === email))?.key;
  return {
    kind: 'site',
    site,
    ...given('email', email),
    ...given('apiKey', key),
    insecure: trusted.find((source) => source.insecure !== undefined)?.insecure ?? false,
  };
}

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:|\/|$)/i;

/** A server's address as people write it: bare hosts get https, this machine http, a trailing slash goes. */
function normalizeSite(written: string): string {
  const bare = written.trim().replace(/\/+$/, '');
  if (/^https?:\/\//i.test(bare)) return bare;
  return `${LOOPBACK.test(bare) ? 'http' : 'https'}://${bare}`;
}

function readConfiguration(path: string | undefined, environment: Environment): Zuliprc | undefined {
  if (path !== undefined) {
    const text = environment.read(path);
    if (text === undefined) throw new UsageError(`There is no configuration file ${path}.`);
    return parseZuliprc(text, path);
  }
  for (const name of ['.zuliprc', 'zuliprc']) {
    const usual = join(environment.home, name);
    const text = environment.read(usual);
    if (text !== undefined) return parseZuliprc(text, usual);
  }
  return undefined;
}

function given<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]: V });
}

/** Throws for a server connection without an account. */
export function checkCredentials(connection: SiteConnection): void {
  if (connection.email !== undefined && connection.apiKey !== undefined) return;
  throw new Failure(
    connection.email === undefined
      ? `No credentials for ${connection.site}.`
      : `No API key of ${connection.email} for ${connection.site}.`,
    EXIT.notAuthenticated,
    'Three ways to give them: --user EMAIL --api-key KEY; ZULIP_EMAIL and ZULIP_API_KEY in the environment; ' +
      'a zuliprc with email, key and site, named by --config-file or kept as ~/.zuliprc.',
  );
}
