import { type Command, Option } from 'commander';
import type { ConnectionOptions } from './connection.ts';

export interface GlobalOptions extends ConnectionOptions {
  json?: boolean;
}

const GROUP = 'Connection:';

const OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--db <database>', 'act on a database: a file or a postgres:// address (CHATCTL_DB)'],
  ['--user <email>', 'the account to act as (ZULIP_EMAIL); with --db the first owner by default'],
  ['--site <url>', 'act on a server (ZULIP_SITE)'],
  ['--api-key <key>', 'the API key of the account (ZULIP_API_KEY)'],
  ['--config-file <file>', 'a zuliprc (ZULIP_CONFIG, ~/.zuliprc, ~/zuliprc)'],
  ['--insecure', 'do not check the certificate of the server (ZULIP_ALLOW_INSECURE)'],
  ['--base-url <url>', 'with --db: where the outside reaches the chat, for links (CHATCTL_BASE_URL)'],
];

/** Names no parameter's option may have. */
export const GLOBAL_FLAGS: ReadonlySet<string> = new Set([
  ...OPTIONS.map(([flags]) => (flags.split(' ')[0] as string).slice(2)),
  'dry-run',
  'json',
  'help',
  'password-stdin',
]);

/** Every command takes them, so that they may stand anywhere. */
export function addGlobalOptions(command: Command): Command {
  for (const [flags, description] of OPTIONS) command.addOption(new Option(flags, description).helpGroup(GROUP));
  return addJsonOption(command);
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** The options as given nearest to the end of the line. */
export function globalOptions(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.unshift(at);
  return Object.assign({}, ...chain.map((each) => each.opts())) as GlobalOptions;
}
