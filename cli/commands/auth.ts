import { Command } from 'commander';
import { type Connection, connectionAndSource, LOOPBACK, normalizeSite, processEnvironment } from '../connection.ts';
import { withoutPassword } from '../database.ts';
import { EXIT, Failure, reportOf, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { ask, confirmUnlessYes, firstLineOfStdin, isInteractive, letAsk } from '../input.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import {
  checkCanKeep,
  currentProfile,
  keepProfile,
  parseZuliprc,
  profileNames,
  profilePath,
  profilesFolder,
  removeProfile,
  useProfile,
} from '../profiles.ts';

interface LoginFlags {
  withKeyStdin?: boolean;
  passwordStdin?: boolean;
}

export function authCommand(terminal: Terminal): Command {
  const auth = new Command('auth')
    .description('Log in to servers and manage saved logins')
    .usage('<command> [options]');
  const add = (name: string, summary: string, examples: readonly string[]) => {
    const command = new Command(name).summary(summary).description(`${summary}.`);
    const lines = examples.map((line) => `auth ${line}`);
    auth.addCommand(addExamples(addGlobalOptions(command), lines));
    return command;
  };
  const login = add('login', 'Log in to a server and save the API key', [
    'login',
    'login --site chat.example.com --user ada@example.com --with-key-stdin < key.txt',
  ]);
  login
    .option('--with-key-stdin', 'read the API key from the first line of stdin')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .action((flags: LoginFlags) => logIn(flags, login, terminal));
  const status = add('status', 'Show the server or database, your account, and whether the login works', [
    'status',
    'status --profile work --json',
  ]);
  status.action(() => tellStatus(status, terminal));
  const list = add('list', 'List saved logins', ['list']);
  list.action(() => listProfiles(list, terminal));
  const use = add('switch', 'Switch to another saved login', ['switch work']);
  use.argument('<NAME>', 'profile to use').action((name: string) => {
    checkProfile(name);
    useProfile(profilesFolder(), name);
    terminal.out(`Switched to ${describe(name)}.`);
  });
  const out = letAsk(add('logout', 'Delete a saved login; its API key stays valid', ['logout', 'logout work --yes']));
  out
    .argument('[NAME]', 'profile to delete (default: the current profile)')
    .action(async (given: string | undefined) => {
      const name = given ?? globalOptions(out).profile ?? currentProfile(profilesFolder());
      if (name === undefined)
        throw new UsageError('No profile is selected.', '`chatctl auth list` shows the saved logins.');
      checkProfile(name);
      const described = describe(name);
      await confirmUnlessYes(out, `Delete the login ${described}?`);
      removeProfile(profilesFolder(), name);
      terminal.out(
        `Deleted the login ${described}. Its API key is still valid; \`chatctl users regenerate-api-key\` replaces it.`,
      );
    });
  return auth;
}

async function logIn(flags: LoginFlags, command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  if (options.db !== undefined) throw new UsageError('--db needs no login.', 'Use --db and --user with any command.');
  if (flags.withKeyStdin && flags.passwordStdin)
    throw new UsageError('--with-key-stdin and --password-stdin cannot be used together.');
  const site = normalizeSite(options.site ?? (await asked('Site (such as chat.example.com)?', '--site')));
  const email = options.user ?? (await asked('E-mail address?', '--user'));
  const name = options.profile ?? nameFor(site);
  const path = profilePath(profilesFolder(), name);
  await checkCanKeep(path);
  const { key, password } = await secretOf(flags, options.apiKey);
  const insecure = options.insecure === true;
  const apiKey = key ?? (await keyFor({ kind: 'site', site, insecure }, email, password as string));
  const { session, close } = await openSession({ kind: 'site', site, email, apiKey, insecure });
  const me = await session.users
    .me()
    .catch((error: unknown) =>
      refused(error, 'Copy the API key from your account settings, or log in with --password-stdin.'),
    )
    .finally(close);
  keepProfile(profilesFolder(), name, { email, key: apiKey, site });
  useProfile(profilesFolder(), name);
  if (options.json) return showJson({ profile: name, site, email, user_id: me.user_id, file: path }, terminal);
  terminal.out(
    `Logged in to ${site} as ${oneLine(`${me.full_name} <${email}>`)}. Saved as profile ${name} in ${path}.`,
  );
  const { source } = connectionAndSource({});
  if (!source.includes(path)) terminal.err(`Commands still use ${source}, which takes precedence over this profile.`);
}

/** Adds advice to the error for a wrong key or password. */
async function refused(error: unknown, advice: string): Promise<never> {
  const { exitCode, message } = await reportOf(error);
  throw exitCode === EXIT.notAuthenticated ? new Failure(message, exitCode, advice) : error;
}

/** The API key, or the password to fetch it with. */
async function secretOf(flags: LoginFlags, given: string | undefined): Promise<{ key?: string; password?: string }> {
  if (given !== undefined) return { key: given };
  if (flags.withKeyStdin) return { key: (await firstLineOfStdin()).trim() };
  if (flags.passwordStdin) return { password: await firstLineOfStdin() };
  if (!isInteractive()) {
    throw new UsageError('The API key or the password is missing.', 'Use --with-key-stdin or --password-stdin.');
  }
  const way = await ask('Log in with your (p)assword or an API (k)ey? [p]');
  if (/^k/i.test(way)) return { key: (await ask('API key?', { secret: true })).trim() };
  return { password: await ask('Password?', { secret: true }) };
}

async function keyFor(connection: Connection, email: string, password: string): Promise<string> {
  const { session, close } = await openSession(connection, 'anyone');
  try {
    return (await session.fetchApiKey({ username: email, password })).api_key;
  } catch (error) {
    return await refused(error, 'Try again. `chatctl passwords request-reset` sends a link to set a new password.');
  } finally {
    await close();
  }
}

async function asked(question: string, flag: string): Promise<string> {
  if (!isInteractive()) throw new UsageError(`Missing: ${flag}.`, 'See `chatctl auth login --help`.');
  const answer = await ask(question);
  if (answer === '') throw new UsageError(`Missing: ${flag}.`);
  return answer;
}

/** `chat.example.com`, or `localhost-9991`. */
function nameFor(site: string): string {
  const bare = site.replace(/^https?:\/\//, '');
  return (LOOPBACK.test(bare) ? bare.replace(/[[\]]/g, '') : bare).replace(/[^\w.-]+/g, '-').slice(0, 64);
}

function checkProfile(name: string): void {
  const names = profileNames(profilesFolder());
  if (names.includes(name)) return;
  throw new UsageError(
    `There is no profile "${name}".`,
    names.length === 0 ? '`chatctl auth login` creates one.' : `Profiles: ${names.join(', ')}.`,
  );
}

function describe(name: string): string {
  const path = profilePath(profilesFolder(), name);
  const { email = '', site = '' } = parseZuliprc(processEnvironment.read(path) ?? '', path);
  return `${name} (${oneLine(email)} at ${oneLine(site)})`;
}

async function tellStatus(command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { connection, source } = connectionAndSource(options);
  const isSite = connection.kind === 'site';
  const place = isSite ? connection.site : withoutPassword(connection.location);
  let works = true;
  let who = '';
  let problem: Failure | undefined;
  try {
    const { session, close } = await openSession(connection);
    const me = await session.users.me().finally(close);
    who = `${me.full_name} <${me.delivery_email ?? me.email}>`;
  } catch (error) {
    const { exitCode, message, advice } = await reportOf(error);
    works = false;
    problem = new Failure(message, exitCode, advice);
  }
  if (options.json) {
    showJson(
      { kind: connection.kind, place, account: isSite ? (connection.email ?? null) : who, from: source, works },
      terminal,
    );
  } else {
    terminal.out(`${isSite ? 'Server: ' : 'Database:'} ${oneLine(place)}`);
    const account = who || (isSite ? (connection.email ?? 'none') : (connection.user ?? 'the first owner'));
    terminal.out(`Account: ${oneLine(account)}`);
    terminal.out(`From:    ${source}`);
    if (works) terminal.out(isSite ? 'The API key is valid.' : 'The database is accessible.');
  }
  if (problem) throw problem;
}

function listProfiles(command: Command, terminal: Terminal): void {
  const folder = profilesFolder();
  const current = currentProfile(folder);
  const profiles = profileNames(folder).map((name) => {
    const path = profilePath(folder, name);
    const { email = '', site = '' } = parseZuliprc(processEnvironment.read(path) ?? '', path);
    return { name, email, site, is_current: name === current };
  });
  if (globalOptions(command).json) return showJson({ profiles }, terminal);
  if (profiles.length === 0) return terminal.err('There are no saved logins. `chatctl auth login` creates one.');
  const rows = profiles.map(({ name, email, site, is_current }) =>
    [is_current ? '*' : '', name, email, site].map(oneLine),
  );
  terminal.out(table(['', 'NAME', 'ACCOUNT', 'SITE'], rows, terminal));
}
