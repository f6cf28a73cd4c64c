import type { Command } from 'commander';
import { networkIn, ROLE_NAMES, siteIn } from '../../lib/internal.ts';
import type { RoleName } from '../../server/index.ts';
import { minutesIn } from '../arguments/durations.ts';
import { DEFAULT_DATABASE } from '../database.ts';
import { findVariable, variableOf } from '../environment.ts';
import { UsageError } from '../failure.ts';
import { addJsonOption } from '../global-options.ts';
import { kebab } from '../names.ts';
import { BASE_URL_WANTED } from '../service-settings.ts';

/** Reads the text of a value. Undefined: the text is invalid, and must be what `wanted` says. */
const reader = <T>(wanted: string, read: (text: string) => T | undefined) => ({ wanted, read });

type Reader<T> = ReturnType<typeof reader<T>>;

const whole = (least: number, wanted: string) =>
  reader(wanted, (text) => (/^[0-9]{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined));

const oneOf = <T extends string>(...words: readonly T[]) =>
  reader(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, (text) => words.find((word) => word === text));

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Plain HTTP only on this machine. */
export const ISSUER = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))[^?#]*$/;
export const ISSUER_WANTED = 'an HTTPS URL such as https://login.example.com';

const read = {
  text: reader('a text', (text) => text),
  count: whole(0, 'a whole number, 0 or more'),
  some: whole(1, 'a whole number, 1 or more'),
  mebibytes: whole(1, 'a whole number of MiB'),
  onOrOff: oneOf('on', 'off'),
  logLevel: oneOf<LogLevel>('debug', 'info', 'warn', 'error', 'silent'),
  port: reader('a number from 0 to 65535', (text) =>
    /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
  ),
  mode: reader('three octal digits, such as 660', (text) =>
    /^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : undefined,
  ),
  /** For variables only: on the command line, a switch has no value. */
  truth: reader('on or off', (text) => {
    if (/^(1|on|true|yes)$/i.test(text)) return true;
    return /^(0|off|false|no)$/i.test(text) ? false : undefined;
  }),
  prefix: reader('a path such as /chat', (text) => /^(\/[\w.~-]+)+(?=\/*$)/.exec(text)?.[0]),
  address: reader(BASE_URL_WANTED, siteIn),
  origin: reader('an origin such as https://app.example.com, without a path', (text) => {
    const { protocol = '', origin } = URL.canParse(text) ? new URL(text) : {};
    return /^https?:$/.test(protocol) && origin === text.replace(/\/$/, '') ? origin : undefined;
  }),
  hostAndPort: reader('an address such as 127.0.0.1:9464', (text) => {
    const [, v6, host = v6, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/\s]+)):([0-9]{1,5})$/.exec(text) ?? [];
    return host === undefined || Number(digits) > 65_535 ? undefined : { host, port: Number(digits) };
  }),
  issuer: reader(ISSUER_WANTED, (text) => (URL.canParse(text) && ISSUER.test(text) ? text : undefined)),
  valueAndRole: reader('a value and a role, such as chat-admins=administrator', (text) => {
    const [, value = '', role = ''] = /^(.+)=([a-z]+)$/.exec(text) ?? [];
    return ROLE_NAMES.has(role) ? ([value, role as RoleName] as const) : undefined;
  }),
  network: reader('a network such as 10.1.0.0/16, or an address such as 127.0.0.1', (text) =>
    networkIn(text) ? text : undefined,
  ),
  /** Minutes. Null: never expires. */
  validity: reader('a time such as 10d, or never', (text) => {
    const minutes = minutesIn(text);
    if (minutes === 'null') return null;
    return /^[1-9][0-9]{0,8}$/.test(minutes) ? Number(minutes) : undefined;
  }),
};

/** The value, such as `<path>`, or empty for a switch; the help; and another name of the variable, or a list. */
type Declared<T> = readonly [
  value: string,
  text: string,
  read: Reader<T>,
  more?: { readonly alsoFrom?: string; readonly isList?: boolean },
];

/** `maxUpload` is the option `--max-upload` and the environment variable `PARLANCE_MAX_UPLOAD`. */
const OPTIONS = {
  db: ['<database>', `a file or a postgres:// address (default ${DEFAULT_DATABASE})`, read.text],
  schema: ['<name>', 'the schema in PostgreSQL', read.text],
  host: ['<address>', 'listen on this address (default 127.0.0.1)', read.text, { alsoFrom: 'HOST' }],
  port: ['<number>', 'listen on this port; 0 for any free port (default 9991)', read.port, { alsoFrom: 'PORT' }],
  socket: ['<path>', 'listen on this Unix socket instead', read.text],
  socketMode: ['<mode>', 'permissions of the socket, as for chmod (default 660)', read.mode],
  baseUrl: ['<url>', 'public URL of the chat (default: the address it listens on)', read.address],
  prefix: ['<path>', 'serve everything below this path, such as /chat', read.prefix],
  trustProxy: ['<count>', 'number of reverse proxies in front of the server (default 0)', read.count],
  trustedOrigin: [
    '<origin>',
    'origin whose pages may call the API (CORS); may be repeated',
    read.origin,
    { isList: true },
  ],
  maxConnections: ['<count>', 'maximum number of open connections (default: no limit)', read.some],
  logLevel: ['<level>', 'debug, info, warn, error or silent (default info)', read.logLevel],
  metrics: ['<host:port>', 'serve metrics, health and readiness at this extra address', read.hostAndPort],
  migrate: ['', 'migrate an older database without asking; this cannot be undone', read.truth],
  dev: ['', 'development mode: anyone can fetch any API key', read.truth],
  demo: ['', 'fill an empty database with example users, channels and messages', read.truth],
  rateLimit: ['<on|off>', 'refuse requests above the rate limits (default on)', read.onOrOff],
  smtp: ['<url>', 'send e-mail through this server, smtp://user:password@host:587', read.text],
  mailFrom: ['<address>', 'sender address of e-mails', read.text],
  mailReplies: [
    '<domain>',
    'let users reply to notifications and post to channels by e-mail: the domain of the addresses, such as reply.chat.example.com',
    read.text,
  ],
  mailAuthserv: [
    '<name>',
    'trust what this mail server says about senders in Authentication-Results (default: trust none)',
    read.text,
  ],
  lmtp: ['<host:port>', 'receive mail from your mail server at this address, over LMTP', read.hostAndPort],
  oidc: ['<issuer>', 'let people log in at this OpenID Connect provider: its issuer URL', read.issuer],
  oidcClientId: ['<id>', 'ID of the chat at the provider', read.text],
  oidcName: ['<text>', 'name of the provider on the button (default: its host)', read.text],
  oidcScope: ['<scopes>', 'scopes to request from the provider (default "openid email profile")', read.text],
  oidcOpen: ['', 'create an account for every person that the provider logs in', read.truth],
  oidcTrustEmail: ['', 'treat all addresses from the provider as verified', read.truth],
  oidcRoleClaim: ['<claim>', 'set the role at each login from this claim', read.text],
  oidcRole: [
    '<value=role>',
    'role for a value of the claim, such as chat-admins=administrator; may be repeated (default: names of roles)',
    read.valueAndRole,
    { isList: true },
  ],
  oidcGroupClaim: ['<claim>', 'set the user groups at each login from this claim', read.text],
  oidcProviders: [
    '<file>',
    'let people log in at several providers: a JSON file, instead of the options above',
    read.text,
  ],
  ldap: ['<url>', 'let people log in with their password in this LDAP directory, ldaps://host', read.text],
  ldapBase: ['<dn>', 'where people are in the directory, such as ou=people,dc=example,dc=com', read.text],
  ldapFilter: ['<filter>', 'find the person by the entered login name (default "(mail={login})")', read.text],
  ldapId: ['<attribute>', 'ID of a person that never changes (default entryUUID)', read.text],
  pushRelay: ['<url>', 'send push notifications to phones through this relay', read.text],
  invitationsValid: ['<time>', 'when invitations expire by default: 10d, or never', read.validity],
  webhookNetwork: [
    '<network>',
    'private network that webhooks of bots may call, such as 10.1.0.0/16; may be repeated (default: none)',
    read.network,
    { isList: true },
  ],
  noLinkPreviews: ['', 'fetch no linked pages for previews, whatever the organization has set', read.truth],
  uploads: [
    '<place>',
    'store uploaded files in this folder, or in s3://bucket/prefix with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL_S3 (default: next to the SQLite file)',
    read.text,
  ],
  maxUpload: ['<mebibytes>', 'maximum size of an uploaded file in MiB (default 100)', read.mebibytes],
  uploadQuota: ['<mebibytes>', 'maximum total size of all uploaded files in MiB (default: no limit)', read.mebibytes],
  noWeb: ['', 'serve the API without the web app and the login page', read.truth],
  force: ['', 'allow --dev and --demo on an address that other machines can reach', read.truth],
} as const satisfies Record<string, Declared<unknown>>;

type Options = typeof OPTIONS;
export type ServeSettings = {
  [K in keyof Options]?: Options[K] extends Declared<infer T>
    ? Options[K] extends readonly [...unknown[], { readonly isList: true }]
      ? T[]
      : T
    : never;
};

const declarations = Object.entries<Declared<unknown>>(OPTIONS).map(([name, [value, text, read, more]]) => {
  return { name, long: `--${kebab(name)}`, value, text, read, ...more };
});

export const SERVE_VARIABLES: readonly string[] = declarations.map(({ long }) => variableOf(long));

export function addServeOptions(command: Command): Command {
  for (const { long, value, text, alsoFrom, isList } of declarations) {
    const described = `${text} [${[variableOf(long), ...(alsoFrom ? [alsoFrom] : [])].join(', ')}]`;
    const flags = `${long} ${value}`.trim();
    if (isList) command.option(flags, described, (text: string, before: string[] = []) => [...before, text]);
    else command.option(flags, described);
  }
  return addJsonOption(command);
}

/** Commander stores `--no-web` as `web: false`. */
const SWITCHED_OFF: Readonly<Record<string, string>> = { noWeb: 'web', noLinkPreviews: 'linkPreviews' };

/** Reads options, then environment variables. An empty variable counts as unset. */
export function serveSettings(typed: Readonly<Record<string, unknown>>): ServeSettings {
  const settings: Record<string, unknown> = {};
  for (const { name, long, alsoFrom, isList, read: reader } of declarations) {
    const value = SWITCHED_OFF[name] ? typed[SWITCHED_OFF[name]] === false || undefined : typed[name];
    const found = value === undefined ? findVariable(variableOf(long), alsoFrom) : { value, source: long };
    if (!found) continue;
    const texts = isList && typeof found.value === 'string' ? found.value.split(/[\s,]+/) : found.value;
    settings[name] = settingOf(reader, found.source, texts);
  }
  return settings as ServeSettings;
}

function settingOf({ read, wanted }: Reader<unknown>, source: string, value: unknown): unknown {
  // On the command line, a switch has no text.
  if (value === true) return true;
  if (Array.isArray(value)) return value.map((text) => settingOf({ read, wanted }, source, text));
  const result = read(value as string);
  if (result === undefined) throw new UsageError(`${source} must be ${wanted}.`);
  return result;
}
