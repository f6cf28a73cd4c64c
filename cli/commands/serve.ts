import { Command } from 'commander';
import type { Chat } from '../../lib/index.ts';
import type { Demo } from '../../lib/internal.ts';
import { minutesIn } from '../arguments/durations.ts';
import { DEFAULT_DATABASE, filesFor, noOrganization, storageAt, withoutPassword } from '../database.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addJsonOption, globalOptions } from '../global-options.ts';
import { onInterruption } from '../interruption.ts';
import { mailSettings } from '../mail-settings.ts';
import { migrationProgress } from '../migration-progress.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { pushRelaySettings } from '../push-relay-settings.ts';

interface ServeFlags {
  host: string;
  port: number;
  dev?: boolean;
  demo?: boolean;
  rateLimit?: string;
  smtp?: string;
  mailFrom?: string;
  pushRelay?: string;
  invitationsValid?: number | null;
  uploads?: string;
  maxUpload?: number;
  uploadQuota?: number;
  force?: boolean;
}

export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve')
    .summary('Run the server on a database')
    .description('Run the server on a database until Ctrl-C.')
    .option('--db <database>', `a file or a postgres:// address (CHATCTL_DB; default ${DEFAULT_DATABASE})`)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option('--port <number>', 'listen on this port; 0 takes any free one', portNumber, 9991)
    .option('--base-url <url>', 'where the outside reaches the chat (CHATCTL_BASE_URL; default: where it listens)')
    .option('--dev', 'development mode: anybody may fetch any API key')
    .option('--demo', 'fill an empty database with people, channels and messages to try things on')
    .option('--rate-limit <on|off>', 'whether too many requests are refused (default: on)', onOrOff)
    .option('--smtp <url>', 'send e-mail through this server, smtp://user:password@host:587 (CHATCTL_SMTP)')
    .option('--mail-from <address>', 'sender of that e-mail (CHATCTL_MAIL_FROM)')
    .option(
      '--push-relay <url>',
      'notify phones through this relay (CHATCTL_PUSH_RELAY, with CHATCTL_PUSH_RELAY_ID and CHATCTL_PUSH_RELAY_KEY)',
    )
    .option('--invitations-valid <time>', 'how long invitations are valid that do not say it: 10d, or never', validity)
    .option(
      '--uploads <place>',
      'keep uploaded files in this folder, or in s3://bucket/prefix (PARLANCE_UPLOADS; default: beside the file of the database)',
    )
    .option('--max-upload <mebibytes>', 'largest file that may be uploaded (default: 100)', mebibytes)
    .option('--upload-quota <mebibytes>', 'what all uploaded files may measure together (default: no limit)', mebibytes)
    .option('--force', 'allow --dev on an address other machines can reach')
    .addHelpText(
      'after',
      '\nExamples:\n  chatctl serve --demo\n  chatctl serve --db chat.db --host 0.0.0.0 --base-url https://chat.example.com',
    );
  return addJsonOption(command).action(() => serveUntilStopped(command, terminal));
}

async function serveUntilStopped(command: Command, terminal: Terminal): Promise<void> {
  const { db, baseUrl, json } = globalOptions(command);
  const flags = command.opts<ServeFlags>();
  const location = db ?? process.env.CHATCTL_DB ?? DEFAULT_DATABASE;
  const address = baseUrl ?? process.env.CHATCTL_BASE_URL;
  const mailing = mailSettings(flags);
  const relay = pushRelaySettings(flags);
  const [{ openChat, pushRelay, smtp }, { serve }, storage] = await Promise.all([
    import('../../lib/index.ts'),
    import('../../server/index.ts'),
    storageAt(location, { isShared: true }),
  ]);
  const chat = await openChat({
    storage,
    ...(await filesFor(location, flags.uploads)),
    ...(flags.maxUpload === undefined ? {} : { maxUploadMebibytes: flags.maxUpload }),
    ...(flags.uploadQuota === undefined ? {} : { uploadQuotaMebibytes: flags.uploadQuota }),
    development: flags.dev === true,
    ...(json ? {} : { onMigration: migrationProgress(location, terminal) }),
    ...(address ? { baseUrl: address } : {}),
    ...(mailing ? { mail: smtp(mailing) } : {}),
    ...(relay ? { pushRelay: pushRelay(relay) } : {}),
    ...(flags.invitationsValid === undefined ? {} : { invitationMinutes: flags.invitationsValid }),
  });
  try {
    const demo = await demoIn(chat, location, flags.demo === true);
    const running = await serve(chat, {
      host: flags.host,
      port: flags.port,
      ...(flags.rateLimit === 'off' ? { rateLimits: false as const } : {}),
      ...(flags.force ? { force: true } : {}),
    }).catch((error: Error) => {
      throw new Failure(listenProblem(error, flags), EXIT.unreachable);
    });
    const stopped = new Promise<void>((resolve) => onInterruption(() => resolve()));
    if (json) terminal.out(JSON.stringify({ url: running.url, db: withoutPassword(location), ...(demo ?? {}) }));
    else {
      terminal.out(`Serving ${withoutPassword(location)} at ${running.url}`);
      if (demo) terminal.out(demoWelcome(demo, running.url, withoutPassword(location), terminal));
    }
    await stopped;
    if (!json && terminal.errIsTerminal) terminal.err('Closing.');
    await running.close();
  } finally {
    await chat.close();
  }
}

/** The demo, made now or found; an organization of one's own stays as it is. */
async function demoIn(chat: Chat, location: string, wanted: boolean) {
  const isEmpty = !(await chat.hasOrganization());
  if (isEmpty && !wanted) throw noOrganization(location);
  const { findDemo, isUnfinishedDemo, seedDemo } = await import('../../lib/internal.ts');
  if (isEmpty) return seedDemo(chat);
  if (await isUnfinishedDemo(chat)) throw unfinishedDemo(location);
  return wanted ? findDemo(chat) : undefined;
}

function unfinishedDemo(location: string): Failure {
  const place = withoutPassword(location);
  return new Failure(
    `The demo in ${place} is not complete: it is being made at this moment, or that was interrupted.`,
    EXIT.refused,
    `If nothing else is making it, delete ${place} and start again with --demo, or name another database.`,
  );
}

/** The demo accounts and three things to try, ready to be copied. */
function demoWelcome({ accounts, channels }: Demo, url: string, location: string, terminal: Terminal): string {
  const rows = accounts.map(({ email, role, password }) => [email, String(role), password]);
  const [first] = accounts;
  const channel = channels[0] ?? 'general';
  const lines = ['', table(['E-MAIL', 'ROLE', 'PASSWORD'], rows, terminal), ''];
  if (!first) return lines.join('\n');
  const account = `--site ${url} --user ${first.email} --api-key ${first.api_key}`;
  return [
    ...lines,
    'Three things to try:',
    `  curl -s -u ${first.email}:${first.api_key} ${url}/api/v1/users/me`,
    `  ${chatctl()} messages send ${account} --to ${quoted(channel)} --topic hello -m "Hello"`,
    `  open ${url}/api/docs in a browser`,
    '',
    `The data is kept in ${location}; Ctrl-C ends the server.`,
  ].join('\n');
}

/** In a checkout, started by `npm start`, there is no `chatctl` on the path. */
function chatctl(): string {
  return process.argv[1]?.endsWith('.ts') ? 'npx tsx cli/chatctl.ts' : 'chatctl';
}

function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function listenProblem(error: Error, { host, port }: ServeFlags): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken; choose another with --port.`;
  if (code === 'EACCES') return `Port ${port} of ${host} is not allowed to you; choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}; choose another with --host.`;
  return error.message;
}

function portNumber(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError('--port must be a number from 0 to 65535.');
  return Number(text);
}

function mebibytes(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new UsageError('A size must be a whole number of MiB.');
  return Number(text);
}

function onOrOff(text: string): string {
  if (text !== 'on' && text !== 'off') throw new UsageError('--rate-limit must be on or off.');
  return text;
}

/** In minutes; null: for ever. */
function validity(text: string): number | null {
  const minutes = minutesIn(text);
  if (minutes === 'null') return null;
  if (!/^[1-9][0-9]{0,8}$/.test(minutes))
    throw new UsageError('--invitations-valid must be a time such as 10d, or never.');
  return Number(minutes);
}
