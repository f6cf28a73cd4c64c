import { type Command, Option } from 'commander';
import type { ConnectionOptions } from './connection.ts';
import { DEFAULT_DATABASE } from './database.ts';
import { UsageError } from './failure.ts';

export interface GlobalOptions extends ConnectionOptions {
  json?: boolean;
  /** The fields of `--json=id,name`, as typed. */
  jsonFields?: string;
  jq?: string;
}

const GROUP = 'Connection:';

const OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--db <database>', 'act on a database: a file or a postgres:// address (PARLANCE_DB)'],
  ['--schema <name>', 'with --db: the schema in PostgreSQL (PARLANCE_SCHEMA)'],
  ['--user <email>', 'the account to act as (ZULIP_EMAIL); with --db the first owner by default'],
  ['--site <url>', 'act on a server (ZULIP_SITE)'],
  ['--api-key <key>', 'the API key of the account (ZULIP_API_KEY)'],
  ['--config-file <file>', 'a zuliprc (ZULIP_CONFIG, ~/.zuliprc, ~/zuliprc)'],
  ['--profile <name>', 'a login of `chatctl auth login` (PARLANCE_PROFILE)'],
  ['--insecure', 'do not check the certificate of the server (ZULIP_ALLOW_INSECURE)'],
  ['--no-wait', 'fail at once where the server asks to wait, which is else waited for up to five minutes'],
  ['--base-url <url>', 'with --db: where the outside reaches the chat, for links (PARLANCE_BASE_URL)'],
];

/** Names no parameter's option may have. */
export const GLOBAL_FLAGS: ReadonlySet<string> = new Set([
  ...OPTIONS.map(([flags]) => (flags.split(' ')[0] as string).slice(2)),
  'dry-run',
  'jq',
  'json',
  'json-fields',
  'help',
  'password-stdin',
  'wait',
]);

/** Every command takes them, so that they may stand anywhere. */
export function addGlobalOptions(command: Command): Command {
  for (const [flags, description] of OPTIONS) command.addOption(new Option(flags, description).helpGroup(GROUP));
  return addJsonOption(command);
}

/** The options of commands that work on a database alone, which `chooseDatabase` reads, and `--json`. */
export function addDatabaseOptions(command: Command): Command {
  return addJsonOption(command)
    .option('--db <database>', `a file or a postgres:// address (PARLANCE_DB; default ${DEFAULT_DATABASE})`)
    .option('--schema <name>', 'the schema in PostgreSQL (PARLANCE_SCHEMA)');
}

export function addJsonOption(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .addOption(new Option('--json-fields <fields>').hideHelp())
    .option('--jq <expression>', 'print what jq makes of the JSON');
}

/**
 * Fields are written onto the option, `--json=id,name`: behind a blank they could be an argument of the command.
 * `--json` is followed by no value for commander, which would take the next word for it.
 */
export function withFieldsApart(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.flatMap((arg, at) => {
    const fields = end >= 0 && at > end ? null : /^--json=(?!(?:true|false|yes|no)$)(.*)$/s.exec(arg);
    return fields ? ['--json', '--json-fields', fields[1] as string] : [arg];
  });
}

/** The options as given nearest to the end of the line. */
export function globalOptions(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.unshift(at);
  const options: GlobalOptions = Object.assign({}, ...chain.map((each) => each.opts()));
  // Commander says yes at each of them that says nothing.
  const wait = chain.every((each) => each.opts().wait !== false);
  return { ...options, wait, ...(options.jq === undefined ? {} : { json: true }) };
}

/** Some of the fields of a command's JSON, as an example. */
type ExampleFields = () => readonly string[];

const choosing = new WeakMap<Command, ExampleFields>();

/** Says that a command knows the fields of its JSON before it does anything, or does nothing but read. */
export function letChooseFields(command: Command, exampleFields: ExampleFields = () => ['FIELD', '...']): Command {
  choosing.set(command, exampleFields);
  return command;
}

/** `--json=id,name`, with fields that the command has; nothing where it has none to choose from. */
function fieldsExample(command: Command): string | undefined {
  // That of `chatctl` itself stands for all commands.
  const fields = command.parent === null ? ['FIELD', '...'] : (choosing.get(command)?.() ?? []);
  return fields.length === 0 ? undefined : `--json=${fields.join(',')}`;
}

/** How the help writes the option, and what it says of it. */
export function jsonHelp(command: Command): { term: string; description: string } {
  const example = fieldsExample(command);
  if (example === undefined) return { term: '--json', description: 'print JSON' };
  return { term: '--json[=<fields>]', description: `print JSON; ${example} only these fields` };
}

/** Makes ready what is printed for `--json=…` and `--jq`; refuses what cannot be, before anything is done. */
export async function prepareJson(command: Command): Promise<void> {
  const { jsonFields, jq } = globalOptions(command);
  if (jsonFields === undefined && jq === undefined) return;
  const fields = jsonFields?.split(',').flatMap((field) => field.trim() || []);
  const example = fieldsExample(command);
  if (fields && example === undefined) {
    throw new UsageError('The JSON of this command has no fields to choose from.', 'Use --jq on it.');
  }
  if (fields?.length === 0) throw new UsageError(`--json= names no fields; write them onto it: ${example}.`);
  const [{ shapeJson }, { jqFilter }] = await Promise.all([import('./output/json.ts'), import('./output/jq.ts')]);
  shapeJson({ fields, filter: jq === undefined ? undefined : await jqFilter(jq) });
}
