import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, ChatOptions, Logger, MigrationPlan } from '../../lib/index.ts';
import { type DatabaseTrouble, type Demo, shellWord } from '../../lib/internal.ts';
import type { OidcOptions } from '../../server/index.ts';
import {
  type ChosenDatabase,
  checkDatabase,
  chooseDatabase,
  filesFor,
  isPostgres,
  noOrganization,
  openChatAt,
  planOf,
} from '../database.ts';
import { findVariable } from '../environment.ts';
import { EXIT, Failure } from '../failure.ts';
import { confirm, isInteractive } from '../input.ts';
import { type Announce, migrationNews } from '../output/progress.ts';
import { onInterruption, type Terminal } from '../output/terminal.ts';
import { table } from '../output/text.ts';
import { checkAddresses } from '../serve/addresses.ts';
import { checkedTogether } from '../serve/checked-together.ts';
import { addServeOptions, type ServeSettings, serveSettings } from '../serve/declared-options.ts';
import { inboundMailSecret, type MailFlags } from '../service-settings.ts';
import { type LocalCall, localCommand } from './local-command.ts';
import { planned } from './maintain.ts';

const STOPPING_SECONDS = 10;

/** Options that other modules parse, from the command line or the environment. */
type Flags = MailFlags & { pushRelay?: string; uploads?: string };

export const serveCommand = localCommand(addServeOptions, 'serve', {
  summary: 'Run a server on a database',
  description:
    'Run a server on a database until Ctrl-C. You can also set each option with the environment variable in brackets.',
  examples: ['serve --demo', 'serve --db chat.db --host 0.0.0.0 --base-url https://chat.example.com --trust-proxy 1'],
  notes: [
    'Only as environment variables: PARLANCE_METRICS_TOKEN (the bearer token for /metrics), PARLANCE_PUSH_RELAY_ID, PARLANCE_PUSH_RELAY_KEY, PARLANCE_LOGIN_SECRETS (sign tokens and login cookies), PARLANCE_INBOUND_MAIL_SECRET (for /inbound/mail). For logins with a provider or directory: PARLANCE_OIDC_CLIENT_SECRET, PARLANCE_LDAP_BIND_DN, PARLANCE_LDAP_PASSWORD. Other users of the machine can read the command line: if --db or --smtp contains a password, set PARLANCE_DB or PARLANCE_SMTP instead.',
  ],
  run: serveUntilStopped,
});

async function serveUntilStopped({ options: typed, terminal }: LocalCall<Flags>): Promise<void> {
  const settings = serveSettings(typed as Readonly<Record<string, unknown>>);
  const database = chooseDatabase(typed);
  // Invalid settings fail before anything is opened.
  const { options: chosen, oidc } = await chatOptions(settings, typed, database);
  const output = await serverOutput(settings, terminal, { isJson: typed.json === true });
  const { logger, announce } = output;
  // A server that cannot listen must not migrate the database.
  await checkAddresses(settings).catch(cannotListen(settings));
  const chat = await openForServing(database, announce, {
    isDemo: settings.demo === true,
    mayMigrate: settings.migrate === true,
    terminal,
    logger,
    ...chosen,
  });
  let unlock: (() => void) | undefined;
  try {
    const demo = await demoIn(chat, database, { isWanted: settings.demo === true });
    unlock = await watchDatabase(chat, database, logger);
    await warnOfFiles(chat, { logger, place: database.place, hasStore: chosen.files !== undefined });
    const stopped = new Promise<string>((resolve) => onInterruption(resolve));
    const running = await listen(chat, settings, { logger, demo, oidc });
    output.showAddress(running, { place: database.place, demo });
    const signal = await stopped;
    announce(`Stopping on ${signal}. Waiting up to ${STOPPING_SECONDS} s for running requests.`, { signal });
    const { cut } = await running.close();
    await chat.close();
    announce(cut === 0 ? 'Stopped.' : `Stopped. Closed ${cut} connections that took longer.`, { cut });
  } finally {
    await chat.close();
    unlock?.();
    output.close();
  }
}

/** @throws UsageError if a setting is invalid */
async function chatOptions(settings: ServeSettings, typed: LocalCall<Flags>['options'], database: ChosenDatabase) {
  const { baseUrl } = settings;
  const { mailing, relay, secrets, oidc, directory } = checkedTogether(settings, typed);
  const { files } = await filesFor(database.location, typed.uploads);
  const { pushRelay, smtp } = await import('../../lib/index.ts');
  const options = {
    files,
    maxUploadMebibytes: settings.maxUpload,
    uploadQuotaMebibytes: settings.uploadQuota,
    development: settings.dev === true,
    baseUrl,
    loginSecrets: secrets,
    mail: mailing && smtp(mailing),
    pushRelay: relay && pushRelay(relay),
    directory: directory && (await import('../ldap.ts')).directoryAt(directory),
    outgoingWebhooks: { allowPrivateAddresses: settings.webhookNetwork },
    ...(settings.noLinkPreviews ? { linkPreviews: false as const } : {}),
    invitationMinutes: settings.invitationsValid,
  };
  const providers =
    settings.oidcProviders === undefined
      ? oidc && [oidc]
      : (await import('../serve/oidc-providers.ts')).readProviders(settings.oidcProviders);
  return { options, oidc: providers };
}

type Running = Awaited<ReturnType<typeof listen>>;

/** The log, and what the server says about itself on stdout: sentences, or with `--json` one line of JSON. */
async function serverOutput(settings: ServeSettings, terminal: Terminal, { isJson }: { isJson: boolean }) {
  const [{ serverLog }, { DatabaseTrouble }] = await Promise.all([
    import('../serve/log.ts'),
    import('../../lib/internal.ts'),
  ]);
  const log = serverLog(settings.logLevel ?? 'info', terminal);
  const logger = new DatabaseTrouble(log.logger);
  const announce: Announce = (sentence, facts = {}) => {
    if (isJson) return logger.info(facts, sentence);
    // Keep the order: earlier log lines are written first.
    log.flush();
    terminal.out(sentence);
  };
  return {
    logger,
    announce,
    showAddress(running: Running, { place, demo }: { place: string; demo: Demo | undefined }): void {
      const url = settings.baseUrl ?? running.url;
      const listening = settings.baseUrl && running.url;
      const metrics = running.inspectionUrl && `${running.inspectionUrl}/metrics`;
      const { lmtpAddress } = running;
      const lmtp = lmtpAddress && `${lmtpAddress.host}:${lmtpAddress.port}`;
      const linkPath = running.server.makeDemoLink();
      const login_link = linkPath && `${url}${linkPath}`;
      if (isJson)
        return terminal.out(JSON.stringify({ url, listening, metrics, lmtp, db: place, login_link, ...demo }));
      terminal.out(`Serving ${place} at ${url}${listening ? `, listening on ${listening}` : ''}`);
      if (metrics) terminal.out(`Metrics are at ${metrics}`);
      if (lmtp) terminal.out(`Receiving mail at ${lmtp} (LMTP)`);
      if (demo) terminal.out(demoWelcome(demo, { url, login_link, place }, terminal));
    },
    close(): void {
      logger.close();
      log.flush();
    },
  };
}

async function listen(
  chat: Chat,
  settings: ServeSettings,
  { logger, demo, oidc }: { logger: Logger; demo: Demo | undefined; oidc: OidcOptions[] | undefined },
) {
  const { serve } = await import('../../server/serve.ts');
  const token = findVariable('PARLANCE_METRICS_TOKEN')?.value;
  return serve(chat, {
    ...settings,
    trustedOrigins: settings.trustedOrigin,
    rateLimits: settings.rateLimit === 'off' ? false : undefined,
    logger,
    closeTimeoutMs: STOPPING_SECONDS * 1000,
    // Loads a library.
    metrics: settings.metrics || token ? new (await import('../../server/metrics.ts')).Metrics() : undefined,
    inspectionAt: settings.metrics,
    inspectionToken: token,
    web: !settings.noWeb,
    demoAccounts: demo?.accounts,
    inboundMailSecret: inboundMailSecret(),
    oidc,
  }).catch(cannotListen(settings));
}

/**
 * Logs when the database cannot be used, or when another server uses its file. Returns a function that ends the lock on
 * the file, if there is one.
 */
async function watchDatabase(chat: Chat, { location, place }: ChosenDatabase, logger: DatabaseTrouble) {
  const { lockServing, transportOf } = await import('../../lib/internal.ts');
  logger.watch(async () => (await transportOf(chat).readiness(1_000)).storage);
  if (isPostgres(location) || location === ':memory:') return undefined;
  logger.watchFile(location);
  const unlock = lockServing(location);
  if (!unlock) logger.warn({ db: place }, ANOTHER_SERVER);
  return unlock;
}

const ANOTHER_SERVER =
  'another server serves this database file too: rate limits count separately, and users get events later. Stop one of them, unless you mean it';

/** A bucket that does not answer must not delay the start. */
const FILES_TIMEOUT_MS = 2_000;

/** Users would notice only with their first upload. */
async function warnOfFiles(
  chat: Chat,
  { logger, place, hasStore }: { logger: Pick<Logger, 'warn'>; place: string; hasStore: boolean },
): Promise<void> {
  const { filesOf, transportOf } = await import('../../lib/internal.ts');
  const timeout = sleep(FILES_TIMEOUT_MS, `no answer within ${FILES_TIMEOUT_MS} ms`, { ref: false });
  const problem = await Promise.race([filesOf(transportOf(chat).engine), timeout]);
  if (problem !== 'ok') logger.warn({ problem }, 'the server cannot read or store uploaded files: check --uploads');
  else if (!hasStore)
    logger.warn({ db: place }, 'the server has no place for uploaded files and refuses uploads: set --uploads');
}

/** Migrates an existing database, if it may. Creates a database only for a demo. */
async function openForServing(
  database: ChosenDatabase,
  announce: Announce,
  {
    isDemo,
    mayMigrate,
    terminal,
    ...options
  }: Omit<ChatOptions, 'storage'> & { isDemo: boolean; mayMigrate: boolean; terminal: Terminal },
): Promise<Chat> {
  const { location, place } = database;
  if (!isDemo && location !== ':memory:') {
    checkDatabase(database);
    const plan = await planOf(location);
    if (plan.steps.length > 0 && !mayMigrate) await confirmMigration(plan, place, terminal);
  }
  const news = migrationNews(location, announce);
  const { chat } = await openChatAt(location, { ...options, onMigration: news.step }, { isShared: true });
  news.end();
  return chat;
}

/** @throws Failure unless the user agrees. A service must not migrate unasked: a migration cannot be undone. */
async function confirmMigration(plan: MigrationPlan, place: string, terminal: Terminal): Promise<void> {
  const db = shellWord(place);
  if (!isInteractive())
    throw new Failure(
      `${place} has schema ${plan.from} of an older version of Parlance, and this one works with ${plan.to}. You cannot undo a migration, so the server does not start.`,
      `Back up first: chatctl backup FILE --db ${db}\nThen run chatctl migrate --db ${db} --yes, or start with --migrate (PARLANCE_MIGRATE=on).`,
      EXIT.usage,
    );
  terminal.err(planned(plan, place));
  await confirm(`Migrate ${place}?`);
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs permissions that you do not have',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
  ENOENT: 'is in a folder that does not exist',
};

const cannotListen =
  (settings: ServeSettings) =>
  (error: Error): never => {
    throw new Failure(listenProblem(error, settings), undefined, EXIT.unreachable);
  };

function listenProblem(
  error: Error,
  { host = '127.0.0.1', port = 9991, socket, metrics, lmtp }: ServeSettings,
): string {
  const { code = '', port: taken } = error as NodeJS.ErrnoException & { port?: number };
  const extra = Object.entries({ '--metrics': metrics, '--lmtp': lmtp }).find(
    ([, address]) => address !== undefined && taken === address.port && taken !== port,
  );
  const [place, option] = extra
    ? [`${extra[1]?.host}:${extra[1]?.port}`, extra[0]]
    : socket === undefined
      ? [`${host}:${port}`, '--host or --port']
      : [socket, '--socket'];
  const problem = LISTEN_PROBLEMS[code];
  return problem ? `${place} ${problem}. Choose another with ${option}.` : error.message;
}

/** Creates or finds the demo. Does not change an organization that is not a demo. */
async function demoIn(chat: Chat, { location, place }: ChosenDatabase, { isWanted }: { isWanted: boolean }) {
  const isEmpty = !(await chat.hasOrganization());
  if (isEmpty && !isWanted) throw noOrganization(location);
  const { findDemo, isUnfinishedDemo, seedDemo } = await import('../../lib/internal.ts');
  const isUnfinished = !isEmpty && (await isUnfinishedDemo(chat));
  if (isWanted && (isEmpty || isUnfinished)) return seedDemo(chat);
  if (!isUnfinished) return isWanted ? findDemo(chat) : undefined;
  throw new Failure(
    `The demo in ${place} is incomplete: another process is creating it, or was interrupted.`,
    'To complete it, start again with --demo.',
  );
}

function demoWelcome(
  { accounts, channels }: Demo,
  { url, login_link, place }: { url: string; login_link: string | undefined; place: string },
  terminal: Terminal,
): string {
  const rows = accounts.map(({ email, role, password }) => [email, String(role), password]);
  const [first] = accounts;
  const channel = channels[0] ?? 'general';
  const lines = ['', table(['E-MAIL', 'ROLE', 'PASSWORD'], rows, terminal), ''];
  if (!first) return lines.join('\n');
  const account = `--site ${url} --user ${first.email} --api-key ${first.api_key}`;
  return [
    ...(login_link === undefined
      ? []
      : ['', 'Open the chat in a browser. This link logs in once, within an hour:', '', `  ${login_link}`]),
    ...lines,
    'Three things to try:',
    `  curl -s -u ${first.email}:${first.api_key} ${url}/api/v1/users/me`,
    `  ${chatctl()} messages send ${account} --to ${shellWord(channel)} --topic hello -m "Hello"`,
    `  open ${url}/api/docs in a browser`,
    '',
    `The data is stored in ${place}. Press Ctrl-C to stop the server.`,
  ].join('\n');
}

/** In a checkout, with `npm start`, `chatctl` is not on the path. */
const chatctl = (): string => (process.argv[1]?.endsWith('.ts') ? 'npx tsx cli/chatctl.ts' : 'chatctl');
