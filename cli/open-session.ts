import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, DryRuns, Session } from '../lib/index.ts';
import { type Access, type Operation, siteIn, transportOf } from '../lib/internal.ts';
import { type Connection, checkCredentials, type DatabaseConnection, type SiteConnection } from './connection.ts';
import { checkDatabase, filesFor, noOrganization, openUpToDate } from './database.ts';
import { findVariable } from './environment.ts';
import { EXIT, Failure, UsageError } from './failure.ts';
import { processTerminal, type Terminal } from './output/terminal.ts';
import { loginSecrets, mailSettings, pushRelaySettings } from './service-settings.ts';

export type OpenSession = { session: Session; close(): Promise<void> };

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
  const { pushRelay, smtp } = await import('../lib/index.ts');
  const { chat, storage } = await openUpToDate(location, {
    migrate: false,
    ...(await filesFor(location)),
    baseUrl,
    loginSecrets: loginSecrets(),
    // E-mails and push notifications wait in the database until a server sends them.
    mail: mailing && smtp(mailing),
    pushRelay: relay && pushRelay(relay),
  });
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
    return { chat, userId: isDefault ? firstOwner : await accountOf(chat, user), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function accountOf(chat: Chat, user: string): Promise<number> {
  const id = /^[0-9]+$/.test(user) ? Number(user) : undefined;
  const found =
    id === undefined
      ? transportOf(chat).resolveUser(user)
      : chat
          .as(id)
          .users.me()
          .then(() => id);
  return found.catch((error: Error) => {
    throw new Failure(error.message, 'Check --user. The default is the first owner.', EXIT.notAuthenticated);
  });
}

/** Seconds. Fails if the server asks for a longer wait. */
const LONGEST_WAIT = 300;

/** The wait in a 429 response. Undefined for other errors. */
function secondsToWait(error: unknown): number | undefined {
  const { status, data } = (error ?? {}) as { status?: number; data?: Record<string, unknown> };
  if (status !== 429) return undefined;
  const seconds = Number(data?.['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1;
}

export async function waitingOut<T>(work: () => Promise<T>, terminal: Pick<Terminal, 'err'>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined || seconds > LONGEST_WAIT) throw error;
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
  const [group, action] = name.split('.') as [string, string | undefined];
  const methods = session as unknown as Record<string, OperationMethod & Record<string, OperationMethod>>;
  return (action === undefined ? methods[group] : methods[group]?.[action]) as OperationMethod;
}
