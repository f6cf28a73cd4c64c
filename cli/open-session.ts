import type { Chat, Session } from '../lib/index.ts';
import type { Access } from '../lib/internal.ts';
import { siteIn, transportOf } from '../lib/internal.ts';
import { type Connection, checkCredentials, type DatabaseConnection, type SiteConnection } from './connection.ts';
import { checkDatabase, filesFor, noOrganization, openUpToDate } from './database.ts';
import { findVariable } from './environment.ts';
import { EXIT, Failure, noteServer, UsageError } from './failure.ts';
import { mailSettings } from './mail-settings.ts';
import { processTerminal } from './output/terminal.ts';
import { pushRelaySettings } from './push-relay-settings.ts';
import { patient } from './rate-limit.ts';

export interface OpenSession {
  session: Session;
  close(): Promise<void>;
}

const OWNER = 100;

const areSet = (...names: string[]) => names.every((name) => findVariable(name) !== undefined);

/** Opens a session. Requires credentials only if the operation needs an account. */
export function openSession(connection: Connection, access: Access = 'user'): Promise<OpenSession> {
  return connection.kind === 'site' ? openSite(connection, access) : openDatabase(connection, access);
}

async function openSite(connection: SiteConnection, access: Access): Promise<OpenSession> {
  const { site, email, apiKey, insecure } = connection;
  if (siteIn(site) === undefined) {
    throw new UsageError(`"${site}" is not a server address.`, 'Write it like https://chat.example.com.');
  }
  noteServer(site);
  if (access !== 'anyone' && access !== 'spectator') checkCredentials(connection);
  const { connect } = await import('../lib/index.ts');
  const hasAccount = access !== 'anyone' && email !== undefined && apiKey !== undefined;
  const session = connect({ site, insecure, client: 'chatctl', ...(hasAccount ? { email, api_key: apiKey } : {}) });
  const close = () => session.close();
  return { session: connection.isImpatient ? session : patient(session, processTerminal()), close };
}

async function openDatabase(connection: DatabaseConnection, access: Access): Promise<OpenSession> {
  const { location, user, baseUrl } = connection;
  checkDatabase(connection);
  // Ignore incomplete settings: `serve` reports them.
  const mailing = areSet('PARLANCE_SMTP', 'PARLANCE_MAIL_FROM') ? mailSettings() : undefined;
  const relay = areSet('PARLANCE_PUSH_RELAY_ID', 'PARLANCE_PUSH_RELAY_KEY') ? pushRelaySettings() : undefined;
  const { chat, storage } = await openUpToDate(location, {
    migrate: false,
    ...(await filesFor(location)),
    ...(baseUrl ? { baseUrl } : {}),
    // E-mails and push notifications wait in the database until a server sends them.
    ...(mailing ? { mail: (await import('../lib/index.ts')).smtp(mailing) } : {}),
    ...(relay ? { pushRelay: (await import('../lib/index.ts')).pushRelay(relay) } : {}),
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
    const options = { client: 'chatctl' };
    if (access === 'anyone') return { session: chat.anonymous(options), close };
    return { session: chat.as(user === undefined ? firstOwner : await accountOf(chat, user), options), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function accountOf(chat: Chat, user: string): Promise<number> {
  if (/^[0-9]+$/.test(user)) return Number(user);
  return transportOf(chat)
    .resolveUser(user)
    .catch((error: Error) => {
      throw new Failure(error.message, EXIT.notAuthenticated, 'Check --user. The default is the first owner.');
    });
}
