import type { Command } from 'commander';
import { networkIn, siteIn } from '../../lib/internal.ts';
import { minutesIn } from '../arguments/dates.ts';
import { DEFAULT_DATABASE } from '../database.ts';
import { findVariable, type Variables, variableOf } from '../environment.ts';
import { UsageError } from '../failure.ts';
import { addJsonOption } from '../global-options.ts';
import { BASE_URL_WANTED } from '../service-settings.ts';

/** An invalid value. `wanted` completes the sentence "… must be". */
class Wrong {
  constructor(readonly wanted: string) {}
}

type Reader<T> = (text: string) => T | Wrong;

/** An integer of at least `least`, with up to nine digits. */
const whole =
  (least: number, wanted: string): Reader<number> =>
  (given) =>
    /^[0-9]{1,9}$/.test(given) && Number(given) >= least ? Number(given) : new Wrong(wanted);

const oneOf =
  <T extends string>(...words: readonly T[]): Reader<T> =>
  (given) =>
    words.find((word) => word === given) ?? new Wrong(listOf(words));

const listOf = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const read = {
  text: ((given) => given) as Reader<string>,
  count: whole(0, 'a whole number, 0 or more'),
  some: whole(1, 'a whole number, 1 or more'),
  mebibytes: whole(1, 'a whole number of MiB'),
  onOrOff: oneOf('on', 'off'),
  logLevel: oneOf<LogLevel>('debug', 'info', 'warn', 'error', 'silent'),
  port: ((given) =>
    /^[0-9]{1,5}$/.test(given) && Number(given) <= 65_535
      ? Number(given)
      : new Wrong('a number from 0 to 65535')) as Reader<number>,
  mode: ((given) =>
    /^0?[0-7]{3}$/.test(given)
      ? Number.parseInt(given, 8)
      : new Wrong('three octal digits, such as 660')) as Reader<number>,
  /** For variables only: on the command line, a switch has no value. */
  truth: ((given) => {
    if (/^(1|on|true|yes)$/i.test(given)) return true;
    return /^(0|off|false|no)$/i.test(given) ? false : new Wrong('on or off');
  }) as Reader<boolean>,
  prefix: ((given) => {
    const path = given.replace(/\/+$/, '');
    return /^(\/[\w.~-]+)+$/.test(path) ? path : new Wrong('a path such as /chat');
  }) as Reader<string>,
  /** The public URL of the chat. */
  address: ((given) => siteIn(given) ?? new Wrong(BASE_URL_WANTED)) as Reader<string>,
  origin: ((given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url && /^https?:$/.test(url.protocol) && url.origin === given.replace(/\/$/, '')
      ? url.origin
      : new Wrong('an origin such as https://app.example.com, without a path');
  }) as Reader<string>,
  hostAndPort: ((given) => {
    const [, v6, host = v6, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/\s]+)):([0-9]{1,5})$/.exec(given) ?? [];
    if (host === undefined || Number(digits) > 65_535) return new Wrong('an address such as 127.0.0.1:9464');
    return { host, port: Number(digits) };
  }) as Reader<{ host: string; port: number }>,
  network: ((given) =>
    networkIn(given)
      ? given
      : new Wrong('a network such as 10.1.0.0/16, or an address such as 127.0.0.1')) as Reader<string>,
  /** Minutes. Null: never expires. */
  validity: ((given) => {
    const minutes = minutesIn(given);
    if (minutes === 'null') return null;
    return /^[1-9][0-9]{0,8}$/.test(minutes) ? Number(minutes) : new Wrong('a time such as 10d, or never');
  }) as Reader<number | null>,
};

interface Declared<T> {
  readonly flags: string;
  readonly text: string;
  readonly read: Reader<T>;
  /** Other names of the variable that are common elsewhere. */
  readonly alsoFrom?: readonly string[];
  readonly isList?: boolean;
}

const option = <T>(flags: string, text: string, reader: Reader<T>, more: Partial<Declared<T>> = {}) =>
  ({ flags, text, read: reader, ...more }) as Declared<T>;

/** Each is an option and an environment variable: `--max-upload` is `PARLANCE_MAX_UPLOAD`. */
const OPTIONS = {
  db: option('--db <database>', `a file or a postgres:// address (default ${DEFAULT_DATABASE})`, read.text),
  schema: option('--schema <name>', 'the schema in PostgreSQL', read.text),
  host: option('--host <address>', 'listen on this address (default 127.0.0.1)', read.text, { alsoFrom: ['HOST'] }),
  port: option('--port <number>', 'listen on this port; 0 for any free port (default 9991)', read.port, {
    alsoFrom: ['PORT'],
  }),
  socket: option('--socket <path>', 'listen on this Unix socket instead', read.text),
  socketMode: option('--socket-mode <mode>', 'permissions of the socket, as for chmod (default 660)', read.mode),
  baseUrl: option('--base-url <url>', 'public URL of the chat (default: the address it listens on)', read.address),
  prefix: option('--prefix <path>', 'serve everything below this path, such as /chat', read.prefix),
  trustProxy: option(
    '--trust-proxy <count>',
    'number of reverse proxies in front of the server (default 0)',
    read.count,
  ),
  trustedOrigin: option(
    '--trusted-origin <origin>',
    'origin whose pages may call the API (CORS); may be repeated',
    read.origin,
    {
      isList: true,
    },
  ),
  maxConnections: option(
    '--max-connections <count>',
    'maximum number of open connections (default: no limit)',
    read.some,
  ),
  logLevel: option('--log-level <level>', 'debug, info, warn, error or silent (default info)', read.logLevel),
  metrics: option(
    '--metrics <host:port>',
    'serve metrics, health and readiness at this extra address',
    read.hostAndPort,
  ),
  dev: option('--dev', 'development mode: anyone can fetch any API key', read.truth),
  demo: option('--demo', 'fill an empty database with example users, channels and messages', read.truth),
  rateLimit: option('--rate-limit <on|off>', 'refuse requests above the rate limits (default on)', read.onOrOff),
  smtp: option('--smtp <url>', 'send e-mail through this server, smtp://user:password@host:587', read.text),
  mailFrom: option('--mail-from <address>', 'sender address of e-mails', read.text),
  pushRelay: option('--push-relay <url>', 'send push notifications to phones through this relay', read.text),
  invitationsValid: option(
    '--invitations-valid <time>',
    'when invitations expire by default: 10d, or never',
    read.validity,
  ),
  webhookNetwork: option(
    '--webhook-network <network>',
    'private network that webhooks of bots may call, such as 10.1.0.0/16; may be repeated (default: none)',
    read.network,
    { isList: true },
  ),
  uploads: option(
    '--uploads <place>',
    'store uploaded files in this folder, or in s3://bucket/prefix (default: next to the SQLite file)',
    read.text,
  ),
  maxUpload: option(
    '--max-upload <mebibytes>',
    'maximum size of an uploaded file in MiB (default 100)',
    read.mebibytes,
  ),
  uploadQuota: option(
    '--upload-quota <mebibytes>',
    'maximum total size of all uploaded files in MiB (default: no limit)',
    read.mebibytes,
  ),
  force: option('--force', 'allow --dev on an address that other machines can reach', read.truth),
};

type Options = typeof OPTIONS;
export type ServeSettings = {
  [K in keyof Options]?: Options[K] extends Declared<infer T>
    ? K extends 'trustedOrigin' | 'webhookNetwork'
      ? T[]
      : T
    : never;
};

const longOf = ({ flags }: Declared<unknown>) => flags.split(' ')[0] as string;

const declarations = () => Object.entries(OPTIONS) as [keyof ServeSettings, Declared<unknown>][];

export function addServeOptions(command: Command): Command {
  for (const [, declared] of declarations()) {
    const { flags, text, alsoFrom = [], isList } = declared;
    const described = `${text} [${[variableOf(longOf(declared)), ...alsoFrom].join(', ')}]`;
    if (isList) command.option(flags, described, (value: string, before: string[] = []) => [...before, value]);
    else command.option(flags, described);
  }
  return addJsonOption(command);
}

/**
 * Reads options, then environment variables. An empty variable counts as unset.
 * @throws UsageError naming the option or the variable that is wrong
 */
export function serveSettings(typed: Readonly<Record<string, unknown>>, env: Variables): ServeSettings {
  const settings: Record<string, unknown> = {};
  for (const [name, declared] of declarations()) {
    const value = typed[name];
    if (value !== undefined) {
      settings[name] = settingOf(declared, longOf(declared), value);
      continue;
    }
    const found = findVariable(variableOf(longOf(declared)), env, declared.alsoFrom);
    if (found === undefined) continue;
    const { value: text, source } = found;
    settings[name] = settingOf(declared, source, declared.isList ? text.split(/[\s,]+/) : text);
  }
  return settings as ServeSettings;
}

function settingOf({ read: reader, isList }: Declared<unknown>, source: string, value: unknown): unknown {
  // On the command line, a switch has no text.
  if (value === true) return true;
  const one = (text: string) => {
    const outcome = reader(text);
    if (outcome instanceof Wrong) throw new UsageError(`${source} must be ${outcome.wanted}.`);
    return outcome;
  };
  return isList ? (value as string[]).map(one) : one(value as string);
}
