import { randomBytes } from 'node:crypto';
import { codeOf, present } from '../../lib/internal.ts';
import { type ConnectionOptions, chooseConnection, LOOPBACK, normalizeSite, openSession } from '../connection.ts';
import { EXIT, Failure, isCodeMissing, reportOf, UsageError } from '../failure.ts';
import { ask, firstLineOfStdin, isInteractive } from '../input.ts';
import type { Terminal } from '../output/terminal.ts';
import { oneLine, tableOf } from '../output/text.ts';
import {
  checkCanKeep,
  currentProfile,
  keepProfile,
  parseZuliprc,
  profileNames,
  profilePath,
  readIfThere,
  removeProfile,
  useProfile,
} from '../profiles.ts';
import { commandWithSubcommands, connectedCommand, withSession } from './local-command.ts';

type LoginFlags = { browser?: boolean; withKeyStdin?: boolean; passwordStdin?: boolean; code?: string };

const login = connectedCommand<LoginFlags>('login', {
  summary: 'Log in to a server and save the API key',
  options: [
    ['--browser', 'log in with a browser, on this or another machine, and paste the line that it shows'],
    ['--with-key-stdin', 'read the API key from the first line of stdin'],
    ['--password-stdin', 'read the password from the first line of stdin'],
    ['--code <code>', 'code of your authenticator app, or a recovery code'],
  ],
  examples: [
    'auth login',
    'auth login --browser',
    'auth login --site chat.example.com --user ada@example.com --with-key-stdin < key.txt',
  ],
  async run({ options, terminal, print }) {
    if (options.db !== undefined) throw new UsageError('--db needs no login.', 'Use --db and --user with any command.');
    if (Number(options.browser === true) + Number(options.withKeyStdin ?? 0) + Number(options.passwordStdin ?? 0) > 1)
      throw new UsageError('Use only one of --browser, --with-key-stdin and --password-stdin.');
    const site = normalizeSite(options.site ?? (await asked('Site (such as chat.example.com)?', '--site')));
    const name = options.profile ?? nameFor(site);
    const file = profilePath(name);
    await checkCanKeep(file);
    const insecure = options.insecure === true;
    const { email, apiKey } = options.browser
      ? await fromBrowser(site, terminal)
      : await fromSecret({ site, insecure }, options);
    const { session, close } = await openSession({ kind: 'site', site, email, apiKey, insecure });
    const { user_id, full_name } = await session.users
      .me()
      .catch((error: unknown) =>
        refused(error, 'Copy the API key from your account settings, or log in with --password-stdin.'),
      )
      .finally(close);
    keepProfile(name, { email, key: apiKey, site });
    useProfile(name);
    const who = oneLine(`${full_name} <${email}>`);
    print(
      { profile: name, site, email, user_id, file },
      `Logged in to ${site} as ${who}. Saved as profile ${name} in ${file}.`,
    );
    const { source = file } = chooseConnection({});
    if (!options.json && !source.includes(file))
      terminal.err(`Commands still use ${source}, which takes precedence over this profile.`);
  },
});

const status = connectedCommand('status', {
  summary: 'Show the server or database, your account, and whether the login works',
  examples: ['auth status', 'auth status --profile work --json'],
  async run({ options, print }) {
    const connection = chooseConnection(options);
    const isSite = connection.kind === 'site';
    const place = isSite ? connection.site : connection.place;
    let problem: Failure | undefined;
    const me = await withSession(options, (session) => session.users.me()).catch(async (error: unknown) => {
      const { exitCode, message, advice } = await reportOf(error);
      problem = new Failure(message, advice, exitCode);
    });
    const who = me ? `${me.full_name} <${me.delivery_email ?? me.email}>` : '';
    const account = who || (isSite ? (connection.email ?? 'none') : (connection.user ?? 'the first owner'));
    const { kind, source: from } = connection;
    const lines = [
      `${isSite ? 'Server: ' : 'Database:'} ${oneLine(place)}`,
      `Account: ${oneLine(account)}`,
      `From:    ${from}`,
      ...(problem ? [] : [isSite ? 'The API key is valid.' : 'The database is accessible.']),
    ];
    const fields = { kind, place, account: isSite ? (connection.email ?? null) : who, from, works: !problem };
    print(fields, lines.join('\n'));
    if (problem) throw problem;
  },
});

const list = connectedCommand('list', {
  summary: 'List saved logins',
  examples: ['auth list'],
  run({ options, terminal, print }) {
    const current = currentProfile();
    const profiles = profileNames().map((name) => ({ ...loginOf(name), is_current: name === current }));
    if (profiles.length === 0 && !options.json)
      return terminal.err('There are no saved logins. `chatctl auth login` creates one.');
    const text = tableOf(profiles, terminal, {
      '': ({ is_current: isCurrent }) => (isCurrent ? '*' : ''),
      NAME: ({ name }) => name,
      ACCOUNT: ({ email }) => email,
      SITE: ({ site }) => site,
    });
    print({ profiles }, text);
  },
});

const use = connectedCommand('switch', {
  summary: 'Switch to another saved login',
  aliases: ['use'],
  args: [['<NAME>', 'profile to use']],
  examples: ['auth switch work'],
  run({ args: [name = ''], terminal }) {
    const described = describe(name);
    useProfile(name);
    terminal.out(`Switched to ${described}.`);
  },
});

const logout = connectedCommand('logout', {
  summary: 'Delete a saved login; its API key stays valid',
  args: [['[NAME]', 'profile to delete (default: the current profile)']],
  asks: true,
  examples: ['auth logout', 'auth logout work --yes'],
  async run({ args: [given], options, terminal, confirm }) {
    const name = given ?? options.profile ?? currentProfile();
    if (name === undefined)
      throw new UsageError('No profile is selected.', '`chatctl auth list` shows the saved logins.');
    const described = describe(name);
    await confirm(`Delete the login ${described}?`);
    removeProfile(name);
    terminal.out(
      `Deleted the login ${described}. Its API key is still valid; \`chatctl users regenerate-api-key\` replaces it.`,
    );
  },
});

export const authCommand = commandWithSubcommands('auth', 'Log in to servers and manage saved logins', [
  login,
  status,
  list,
  use,
  logout,
]);

async function refused(error: unknown, advice: string): Promise<never> {
  const { exitCode, message } = await reportOf(error);
  throw exitCode === EXIT.notAuthenticated ? new Failure(message, advice, exitCode) : error;
}

async function secretOf(flags: LoginFlags & ConnectionOptions): Promise<{ key?: string; password?: string }> {
  if (flags.apiKey !== undefined) return { key: flags.apiKey };
  if (flags.withKeyStdin) return { key: (await firstLineOfStdin()).trim() };
  if (flags.passwordStdin) return { password: await firstLineOfStdin() };
  if (!isInteractive())
    throw new UsageError('The API key or the password is missing.', 'Use --with-key-stdin or --password-stdin.');
  const way = await ask('Log in with your (p)assword or an API (k)ey? [p]');
  if (/^k/i.test(way)) return { key: (await ask('API key?', { secret: true })).trim() };
  return { password: await ask('Password?', { secret: true }) };
}

/** A login without a browser. */
async function fromSecret(server: { site: string; insecure: boolean }, options: LoginFlags & ConnectionOptions) {
  const given = options.user ?? (await asked('E-mail address?', '--user'));
  const { key, password } = await secretOf(options);
  if (key !== undefined) return { email: given, apiKey: key };
  const login = { email: given, password: present(password), code: options.code };
  const { email, api_key: apiKey } = await keyFor(server, login);
  return { email, apiKey };
}

/** A login in a browser, perhaps on another machine. It shows a link with the key, encrypted with our one-time pad. */
async function fromBrowser(site: string, terminal: Terminal): Promise<{ email: string; apiKey: string }> {
  const pad = randomBytes(32);
  terminal.err(
    `Open this page in a browser, and log in:\n\n  ${site}/login?terminal_flow_otp=${pad.toString('hex')}\n`,
  );
  const pasted = isInteractive()
    ? await ask('Paste the line that the page shows:', { secret: true })
    : await firstLineOfStdin();
  const { searchParams } = URL.canParse(pasted.trim()) ? new URL(pasted.trim()) : new URL('zulip:');
  const [encrypted = '', email = ''] = ['otp_encrypted_api_key', 'email'].map((name) => searchParams.get(name) ?? '');
  if (!/^[0-9a-f]{64}$/i.test(encrypted) || email === '')
    throw new UsageError('This is not the line that the page shows. It begins with zulip://login.');
  const key = Buffer.from(encrypted, 'hex').map((byte, at) => byte ^ (pad[at] ?? 0));
  return { email, apiKey: Buffer.from(key).toString('latin1') };
}

type PasswordLogin = { email: string; password: string; code: string | undefined };

/** The key of the account, and its address: people in a directory may log in with another name. */
async function keyFor(server: { site: string; insecure: boolean }, login: PasswordLogin) {
  const { session, close } = await openSession({ kind: 'site', ...server }, 'anyone');
  const { email: username, password, code } = login;
  const fetchKey = (given = code) =>
    session.fetchApiKey({ username, password, ...(given === undefined ? {} : { code: given }) });
  const answer = fetchKey()
    .catch(async (error: unknown) => {
      if (!isCodeMissing(error)) throw error;
      if (!isInteractive()) throw new UsageError('This account has a second factor.', 'Use --code.');
      return fetchKey(await ask('Code of your authenticator app, or a recovery code?'));
    })
    .finally(close);
  const adviceOn = (error: unknown) =>
    codeOf(error) === 'SECOND_FACTOR_NEEDED'
      ? `You can also log in at ${server.site}/login with a browser, and copy the API key from the settings there for --with-key-stdin.`
      : 'Try again. `chatctl passwords request-reset` sends a link to set a new password.';
  return answer.catch((error: unknown) => refused(error, adviceOn(error)));
}

async function asked(question: string, flag: string): Promise<string> {
  const answer = isInteractive() ? await ask(question) : '';
  if (answer === '') throw new UsageError(`Missing: ${flag}.`, 'See `chatctl auth login --help`.');
  return answer;
}

/** `chat.example.com`, or `localhost-9991`. */
function nameFor(site: string): string {
  const bare = site.replace(/^https?:\/\//, '');
  return (LOOPBACK.test(bare) ? bare.replace(/[[\]]/g, '') : bare).replace(/[^\w.-]+/g, '-').slice(0, 64);
}

function loginOf(name: string) {
  const path = profilePath(name);
  const { email = '', site = '' } = parseZuliprc(readIfThere(path) ?? '', path);
  return { name, email, site };
}

/** @throws UsageError if there is no such profile */
function describe(name: string): string {
  const names = profileNames();
  const advice = names.length === 0 ? '`chatctl auth login` creates one.' : `Profiles: ${names.join(', ')}.`;
  if (!names.includes(name)) throw new UsageError(`There is no profile "${name}".`, advice);
  const { email, site } = loginOf(name);
  return `${name} (${oneLine(email)} at ${oneLine(site)})`;
}
