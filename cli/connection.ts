import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, DryRuns, Session, Storage } from '../lib/index.ts';
import { type Access, ChatError, type Operation, present, siteIn, withoutApiPath } from '../lib/internal.ts';
import { checkDatabase, chooseDatabase, filesFor, noOrganization, openChatAt } from './database.ts';
import { defined, findSetting, findVariable } from './environment.ts';
import { EXIT, Failure, UsageError } from './failure.ts';
import { idOrName } from './names.ts';
import { processTerminal, type Terminal } from './output/terminal.ts';
import { currentProfile, parseBoolean, parseZuliprc, profilePath, readIfThere, type Zuliprc } from './profiles.ts';
import { chooseBaseUrl, loginSecrets, mailSettings, pushRelaySettings } from './service-settings.ts';

export interface ConnectionOptions {
  db?: string;
  /** Only if `db` is a PostgreSQL address. */
  schema?: string;
  user?: string;
  site?: string;
  apiKey?: string;
  configFile?: string;
  profile?: string;
  insecure?: boolean;
  baseUrl?: string;
  /** False: fail when rate-limited instead of waiting. */
  wait?: boolean;
}

interface DatabaseConnection extends ReturnType<typeof chooseDatabase> {
  kind: 'database';
  user?: string | undefined;
  baseUrl?: string | undefined;
}

export interface SiteConnection {
  kind: 'site';
  site: string;
  email?: string | undefined;
  apiKey?: string | undefined;
  insecure: boolean;
  isImpatient?: true | undefined;
  /** Where the settings come from: the command line, `ZULIP_SITE` or a file. */
  source?: string;
}

export type Connection = DatabaseConnection | SiteConnection;

/** Chooses the database or server of a command: from options, then the environment, then a file. */
export function chooseConnection(options: ConnectionOptions): Connection {
  const { site, configFile, apiKey, profile } = options;
  const namesSite = [site, configFile, apiKey, profile].some((option) => option !== undefined);
  if (options.db !== undefined && namesSite)
    throw new UsageError(
      '--db (a database) cannot be combined with --site, --api-key, --config-file or --profile (a server).',
    );
  if (profile !== undefined && configFile !== undefined)
    throw new UsageError('--profile cannot be combined with --config-file.');
  if (namesSite || !findSetting('--db', options.db)) {
    if (options.schema !== undefined) throw new UsageError('--schema needs --db with a postgres:// address.');
    return chooseSite(options);
  }
  const baseUrl = chooseBaseUrl(options.baseUrl);
  return defined({ kind: 'database', ...chooseDatabase(options), user: options.user, baseUrl });
}

type Source = Zuliprc & { readonly from: string };

function chooseSite(options: ConnectionOptions): SiteConnection {
  const env = (name: string) => process.env[name] || undefined;
  const { user, apiKey, site: typedSite, insecure } = options;
  const sources: Source[] = [{ from: 'the command line', email: user, key: apiKey, site: typedSite, insecure }];
  if (options.profile !== undefined) sources.push(readProfile(options.profile));
  const allow = env('ZULIP_ALLOW_INSECURE');
  sources.push({
    from: 'the environment (ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY)',
    email: env('ZULIP_EMAIL'),
    key: env('ZULIP_API_KEY'),
    site: env('ZULIP_SITE'),
    insecure: allow === undefined ? undefined : parseBoolean(allow, 'ZULIP_ALLOW_INSECURE'),
  });
  const profile = findVariable('PARLANCE_PROFILE')?.value;
  const file = readConfiguration(options.configFile ?? env('ZULIP_CONFIG'), profile);
  if (file) sources.push(file);
  const naming = sources.find((source) => source.site);
  if (naming?.site === undefined)
    throw new UsageError(
      'No database or server is given.',
      [
        'To try a demo:    chatctl serve --demo',
        'To create a chat: chatctl init --db chat.db, then --db chat.db with each command, or PARLANCE_DB=chat.db',
        'To use a server:  chatctl auth login',
      ].join('\n'),
    );
  const site = normalizeSite(naming.site);
  // Never send a key to another server, or with another account, than the ones it is stored with.
  const trusted = sources.filter((source) => source.site === undefined || normalizeSite(source.site) === site);
  const email = trusted.find((source) => source.email)?.email;
  const keyed = trusted.find((source) => source.key && (source.email === undefined || source.email === email));
  const isOne = keyed === undefined || keyed === naming;
  return defined({
    kind: 'site',
    site,
    email,
    apiKey: keyed?.key,
    insecure: trusted.find((source) => source.insecure !== undefined)?.insecure ?? false,
    isImpatient: options.wait === false ? true : undefined,
    source: isOne ? naming.from : `${naming.from}; the key from ${keyed.from}`,
  });
}

export const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:|\/|$)/i;

/** Adds https:// (http:// for this machine), and removes a trailing slash and the path of the API. */
export function normalizeSite(written: string): string {
  const bare = withoutApiPath(written.trim());
  if (/^https?:\/\//i.test(bare)) return bare;
  const scheme = /^[a-z0-9+.-]*:+\/\//i.exec(bare)?.[0];
  if (scheme !== undefined)
    throw new UsageError(`The address of a server cannot begin with ${scheme}.`, 'Use https:// or http://.');
  return `${LOOPBACK.test(bare) ? 'http' : 'https'}://${bare}`;
}

/** Reads the given file, or else the current profile, or else `~/.zuliprc` or `~/zuliprc`. */
function readConfiguration(path: string | undefined, profile: string | undefined): Source | undefined {
  if (path !== undefined) {
    const given = readSource(path);
    if (!given) throw new UsageError(`There is no configuration file ${path}.`);
    return given;
  }
  const name = profile ?? currentProfile();
  if (name !== undefined) return readProfile(name);
  return readSource(join(homedir(), '.zuliprc')) ?? readSource(join(homedir(), 'zuliprc'));
}

function readProfile(name: string): Source {
  const path = profilePath(name);
  const found = readSource(path, `profile ${name} (${path})`);
  if (!found) throw new UsageError(`There is no profile "${name}".`, '`chatctl auth list` shows them.');
  return found;
}

function readSource(path: string, from = path): Source | undefined {
  const text = readIfThere(path);
  return text === undefined ? undefined : { ...parseZuliprc(text, path), from };
}

export function checkCredentials(connection: SiteConnection): void {
  if (connection.email !== undefined && connection.apiKey !== undefined) return;
  throw new Failure(
    connection.email === undefined
      ? `No ${connection.apiKey === undefined ? 'credentials' : 'e-mail address (--user)'} for ${connection.site}.`
      : `No API key for ${connection.email} on ${connection.site}.`,
    'Run `chatctl auth login`. Or use --user EMAIL --api-key KEY, set ZULIP_EMAIL and ZULIP_API_KEY, ' +
      'or write email, key and site to a zuliprc (~/.zuliprc, or --config-file).',
    EXIT.notAuthenticated,
  );
}

/** Warns if a link points to this machine because no public URL is set. */
export function warnOfLocalLink(link: string, terminal: Terminal): void {
  if (!LOOPBACK.test(link.replace(/^https?:\/\//, ''))) return;
  terminal.err(
    'Links to localhost work only on this machine. Set the public URL with --base-url or PARLANCE_BASE_URL, for `chatctl serve` or together with --db.',
  );
}

type OpenSession = { session: Session; close(): Promise<void> };

const OWNER = 100;

const areSet = (...names: string[]) => names.every((name) => findVariable(name) !== undefined);

export const openSession = (connection: Connection, access: Access = 'user'): Promise<OpenSession> =>
  connection.kind === 'site' ? openSite(connection, access) : openDatabase(connection, access);

async function openSite(connection: SiteConnection, access: Access): Promise<OpenSession> {
  const { site, email, apiKey, insecure } = connection;
  if (siteIn(site) === undefined)
    throw new UsageError(`"${site}" is not a server address.`, 'Write it like https://chat.example.com.');
  if (access !== 'anyone' && access !== 'spectator') checkCredentials(connection);
  const { connect } = await import('../lib/index.ts');
  const hasAccount = access !== 'anyone' && email !== undefined && apiKey !== undefined;
  const session = connect({ site, insecure, client: 'chatctl', ...(hasAccount ? { email, api_key: apiKey } : {}) });
  const close = () => session.close();
  return { session: connection.isImpatient ? session : patient(session, processTerminal()), close };
}

async function openDatabase(connection: DatabaseConnection, access: Access): Promise<OpenSession> {
  const { chat, userId, close } = await openAccount(connection, access);
  const options = { client: 'chatctl' };
  return { session: access === 'anyone' ? chat.anonymous(options) : chat.as(userId, options), close };
}

/** Opens a database, and finds the account to act as. */
export async function openAccount(connection: DatabaseConnection, access: Access = 'user') {
  const { location, user, baseUrl } = connection;
  checkDatabase(connection);
  // Ignore incomplete settings: `serve` reports them.
  const mailing = areSet('PARLANCE_SMTP', 'PARLANCE_MAIL_FROM') ? mailSettings() : undefined;
  const relay = areSet('PARLANCE_PUSH_RELAY_ID', 'PARLANCE_PUSH_RELAY_KEY') ? pushRelaySettings() : undefined;
  const [{ pushRelay, smtp }, { transportOf }] = await Promise.all([
    import('../lib/index.ts'),
    import('../lib/internal.ts'),
  ]);
  const { chat, storage } = await openChatAt(location, {
    migrate: false,
    ...(await filesFor(location)),
    baseUrl,
    loginSecrets: loginSecrets(),
    // E-mails and push notifications wait in the database until a server sends them.
    mail: mailing && smtp(mailing),
    pushRelay: relay && pushRelay(relay),
  });
  transportOf(chat).actLocally();
  // Waiting for an event from another process opens no socket. Without a timer, the process would exit.
  const alive = setInterval(() => undefined, 60_000);
  const close = () => {
    clearInterval(alive);
    return chat.close();
  };
  try {
    const firstOwner = await storage.read(async (tx) => {
      if (!(await tx.organization.get())) throw noOrganization(location);
      return Math.min(...(await tx.users.activeIds([OWNER])));
    });
    const isDefault = user === undefined || access === 'anyone';
    return { chat, userId: isDefault ? firstOwner : await accountOf(chat, storage, user), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const INCOMING_WEBHOOK = 2;

async function accountOf(chat: Chat, storage: Pick<Storage, 'read'>, user: string): Promise<number> {
  const reference = idOrName(user);
  const known = await storage.read(({ users }) =>
    typeof reference === 'number' ? users.byId(reference) : users.byEmail(reference),
  );
  // It may call nothing that reads.
  if (known?.bot_type === INCOMING_WEBHOOK) return known.id;
  const account = chat.as(reference).users.me();
  const { user_id } = await account.catch((error: Error) => {
    throw new Failure(error.message, 'Check --user. The default is the first owner.', EXIT.notAuthenticated);
  });
  return user_id;
}

/** Seconds. Fails if the server asks for a longer wait. */
const MAX_WAIT_SECONDS = 300;

/** The wait in a 429 response. Undefined for other errors. */
function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof ChatError) || error.status !== 429) return undefined;
  const seconds = Number(error.data['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1;
}

export async function waitingOut<T>(work: () => Promise<T>, terminal: Pick<Terminal, 'err'>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined || seconds > MAX_WAIT_SECONDS) throw error;
      terminal.err(`Too many requests; waiting ${seconds} s (Ctrl-C to stop).`);
      await sleep(seconds * 1_000);
    }
  }
}

export function patient<S extends object>(session: S, terminal: Pick<Terminal, 'err'>): S {
  return new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'object' && value !== null) return patient(value, terminal);
      if (typeof value !== 'function') return value;
      const call = (given: unknown[]) => Reflect.apply(value, target, given) as Promise<unknown>;
      // `listen` returns no promise. A stream from a pipe cannot be read again for a retry.
      return (...given: unknown[]) =>
        name === 'listen' || !given.every(canBeSentAgain) ? call(given) : waitingOut(() => call(given), terminal);
    },
  });
}

function canBeSentAgain(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return true;
  return Object.values(given).every(
    (value) => typeof value !== 'object' || value === null || !('content' in value) || isRereadable(value.content),
  );
}

const isRereadable = (content: unknown) => typeof content !== 'object' || content === null || 'from' in content;

type OperationMethod = (parameters: object) => Promise<object>;

export function methodOf(session: Session | DryRuns, { name }: Pick<Operation, 'name'>): OperationMethod {
  const [group = '', action] = name.split('.');
  const methods = session as unknown as Record<string, OperationMethod & Record<string, OperationMethod>>;
  return present(action === undefined ? methods[group] : methods[group]?.[action]);
}
