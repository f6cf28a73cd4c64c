import { type Command, Option } from 'commander';
import { present } from '../lib/internal.ts';
import type { ConnectionOptions } from './connection.ts';
import { DEFAULT_DATABASE } from './database.ts';
import { UsageError } from './failure.ts';
import { withParents } from './names.ts';
import { jqFilter, shapeJson } from './output/json.ts';

export interface GlobalOptions extends ConnectionOptions {
  json?: boolean;
  /** The fields of `--json=id,name`, as typed. */
  jsonFields?: string;
  jq?: string;
}

const CONNECTION = 'Connection:';
const CONNECTION_LINE = new Option(
  '--db, --site, ...',
  'choose a chat and an account: chatctl help connection',
).helpGroup('Options:');
const PERMISSIONS_LINE = new Option('--can-...-group <group>', 'Who may do what; see the help with --full.').helpGroup(
  'Parameters:',
);
const PERMISSION = /^--can-.*-group$/;
const MAX_LISTED_PERMISSIONS = 2;
/** The group of parameters that programs send and users do not type. */
export const FOR_PROGRAMS = 'For programs:';

const CONNECTION_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--db <database>', 'act on a database: a file or a postgres:// address (PARLANCE_DB)'],
  ['--schema <name>', 'with --db: the schema in PostgreSQL (PARLANCE_SCHEMA)'],
  ['--user <email>', 'the account to act as (ZULIP_EMAIL); with --db the first owner by default'],
  ['--site <url>', 'act on a server (ZULIP_SITE)'],
  ['--api-key <key>', 'the API key of the account (ZULIP_API_KEY)'],
  ['--config-file <file>', 'a zuliprc (ZULIP_CONFIG, ~/.zuliprc, ~/zuliprc)'],
  ['--profile <name>', 'a login saved by `chatctl auth login` (PARLANCE_PROFILE)'],
  ['--insecure', 'do not check the certificate of the server (ZULIP_ALLOW_INSECURE)'],
  ['--no-wait', 'fail when rate-limited; by default, chatctl waits up to 5 minutes and retries'],
  ['--base-url <url>', 'with --db: public URL of the chat, used in links (PARLANCE_BASE_URL)'],
];

export const CONNECTION_FLAGS: ReadonlySet<string> = new Set(
  CONNECTION_OPTIONS.map(([flags]) => present(flags.split(' ')[0])),
);

export const CONNECTION_VARIABLES: readonly string[] = CONNECTION_OPTIONS.flatMap(
  ([, description]) => /PARLANCE_[A-Z_]+/.exec(description)?.[0] ?? [],
);

/** Names that are reserved: no operation parameter may have an option with this name. */
export const GLOBAL_FLAGS: ReadonlySet<string> = new Set([
  ...[...CONNECTION_FLAGS].map((flag) => flag.slice(2)),
  'dry-run',
  'jq',
  'json',
  'json-fields',
  'help',
  'password-stdin',
  'wait',
]);

/** Added to each command, so that they work in any position. `fields`: see `addJsonOption`. */
export const addGlobalOptions = (command: Command, fields?: readonly string[]): Command =>
  addConnectionOptions(addJsonOption(command, fields));

export function addConnectionOptions(command: Command): Command {
  command.optionsGroup(CONNECTION);
  for (const [flags, description] of CONNECTION_OPTIONS) command.option(flags, description);
  return command;
}

/** The options that the help of a command lists. One line stands for the connection, and one for many permissions. */
export function optionsInHelp(command: Command, all: readonly Option[]): Option[] {
  // Commands that work on a database alone have two options of the connection, and list them.
  const isShort = command.options.some(({ long }) => long === '--site');
  const permissions = all.filter(({ long }) => long && PERMISSION.test(long));
  const areMany = isShort && permissions.length > MAX_LISTED_PERMISSIONS;
  return [
    ...all.filter((option) => {
      if (isShort && [CONNECTION, FOR_PROGRAMS].includes(option.helpGroupHeading ?? '')) return false;
      return !(areMany && permissions.includes(option));
    }),
    ...(areMany ? [PERMISSIONS_LINE] : []),
    ...(isShort ? [CONNECTION_LINE] : []),
  ];
}

/** Options of commands that cannot use a server (see `chooseDatabase`), and `--json`. */
export function addDatabaseOptions(command: Command, fields?: readonly string[]): Command {
  return addJsonOption(command, fields)
    .optionsGroup(CONNECTION)
    .option('--db <database>', `a file or a postgres:// address (PARLANCE_DB; default ${DEFAULT_DATABASE})`)
    .option('--schema <name>', 'the schema in PostgreSQL (PARLANCE_SCHEMA)');
}

const fieldExamples = new WeakMap<Command, string>();

/** `fields`: an example for `--json=FIELDS`, which needs fields that are known before the command runs. */
export function addJsonOption(command: Command, fields: readonly string[] = []): Command {
  const example = `--json=${fields.join()}`;
  if (fields.length > 0) fieldExamples.set(command, example);
  return command
    .optionsGroup('Options:')
    .option('--json', fields.length > 0 ? `print JSON; ${example} prints only these fields` : 'print JSON')
    .addOption(new Option('--json-fields <fields>').hideHelp())
    .option('--jq <expression>', 'print JSON, filtered by a jq expression');
}

/** Names of options with underscores, as the API writes them: `--new_name`. */
const UNDERSCORED = /^--[a-z0-9]+(?:_[a-z0-9]+)+(?==|$)/;

/**
 * Makes `--new-name` of `--new_name`. Splits `--json=id,name`: an option with an optional value would take the next
 * argument as its value.
 */
export function normalizedArgs(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.flatMap((arg, at) => {
    if (end >= 0 && at > end) return arg;
    const fields = /^--json=(?!(?:true|false|yes|no)$)(.*)$/s.exec(arg);
    if (fields) return ['--json', '--json-fields', present(fields[1])];
    return arg.replace(UNDERSCORED, (name) => name.replaceAll('_', '-'));
  });
}

/** Options of the command and its parents. The innermost value wins. */
export function globalOptions(command: Command): GlobalOptions {
  const chain = withParents(command).reverse();
  const options: GlobalOptions = Object.assign({}, ...chain.map((each) => each.opts()));
  // Commander sets `wait` to true on each command that has no `--no-wait`.
  const wait = chain.every((each) => each.opts().wait !== false);
  return { ...options, wait, ...(options.jq === undefined ? {} : { json: true }) };
}

/** Prepares `--json=FIELDS` and `--jq`. Errors come before the command runs, so that nothing is changed. */
export async function prepareJson(command: Command): Promise<void> {
  const { jsonFields, jq } = globalOptions(command);
  const fields = jsonFields?.split(',').flatMap((field) => field.trim() || []);
  const example = fieldExamples.get(command);
  if (fields && example === undefined)
    throw new UsageError('This command does not support --json=FIELDS.', 'Use --jq instead.');
  if (fields?.length === 0) throw new UsageError(`--json= needs field names, for example ${example}.`);
  shapeJson({ fields, filter: jq === undefined ? undefined : await jqFilter(jq) });
}
