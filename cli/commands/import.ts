import { appendFileSync, constants, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImportKind, ImportResult, ImportSource, RejectedRow } from '../../lib/index.ts';
import { csvLine } from '../csv.ts';
import { existingDatabase, filesFor, noOrganization, openChatAt } from '../database.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { checkCanWrite, printFailures, problemOf } from '../files.ts';
import { keepingProgress } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { counted, oneLine } from '../output/text.ts';
import { mailSettings } from '../service-settings.ts';
import { importIntoEmpty } from './export.ts';
import { commandWithSubcommands, databaseCommand, type LocalCall } from './local-command.ts';

type Flags = {
  topic?: string;
  unreadSince?: string;
  download?: boolean;
  invite?: boolean;
  rejects?: string;
  uploads?: string;
  dryRun?: boolean;
  merge?: boolean;
};

const UNREAD_SINCE = [
  '--unread-since <date>',
  'leave messages from this day on unread, for example 2026-11-01',
] as const;
const INVITE = ['--invite', 'mail each new account a link to set a password'] as const;
const REJECTS = ['--rejects <file>', 'CSV file for skipped rows (default: EXPORT.rejects.csv)'] as const;
const UPLOADS = [
  '--uploads <place>',
  'where to put files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)',
] as const;
const DRY_RUN = ['--dry-run', 'change nothing; show counts, losses and conflicts'] as const;

const AGAIN = 'Run the same command again to continue.';

const importFrom = (
  name: string,
  product: string,
  {
    file,
    open,
  }: { file: readonly [string, string]; open(lib: typeof import('../../lib/index.ts'), path: string): ImportSource },
) =>
  databaseCommand<Flags>(name, {
    summary: `Import an export of ${product}`,
    description: `Import users, groups, channels and messages from an export of ${product}. Works on the database, not on a server. Servers can keep running. Run it again to continue an interrupted import, or to add new records. Marks messages as read, and sends no notifications. Connected clients reload at the end. The exit code is 1 if it skips rows.`,
    args: [file],
    options: [
      ['--topic <name>', 'topic of channel messages outside of threads (default: general)'],
      [...UNREAD_SINCE],
      ['--download', 'download files that the export names by URL (default: link to the URL)'],
      [...INVITE],
      [...REJECTS],
      [...UPLOADS],
      [...DRY_RUN],
    ],
    examples: [
      `import ${name} ${file[0].replace(/[<>]/g, '')} --db chat.db --dry-run`,
      `import ${name} ${file[0].replace(/[<>]/g, '')} --db chat.db --download --invite`,
    ],
    run: async (call) => {
      const [path = ''] = call.args;
      await importFile(call, open(await import('../../lib/index.ts'), path), path);
    },
  });

const importParlance = databaseCommand<Flags>('parlance', {
  summary: 'Import an export of this chat',
  description:
    'Import a folder of `chatctl export` into an empty SQLite or PostgreSQL database. IDs stay the same. It first compares the digests of all files. Exports contain no passwords and keys: users set new passwords, and programs need new API keys. Import only exports that you trust. With --merge, it adds users, groups, channels and messages to an organization, as from another chat.',
  args: [['<folder>', 'a folder created by `chatctl export`']],
  options: [
    ['--merge', 'add to the organization in the database; the options below need it, except --uploads'],
    [...UNREAD_SINCE],
    [...INVITE],
    [...REJECTS],
    [...UPLOADS],
    [...DRY_RUN],
  ],
  examples: [
    'import parlance /exports/2026-11-29 --db new.db',
    'import parlance /exports/2026-11-29 --merge --db chat.db --dry-run',
  ],
  run: async (call) => {
    const [path = ''] = call.args;
    const { merge, unreadSince, invite, rejects, dryRun } = call.options;
    if (merge) return importFile(call, (await import('../../lib/index.ts')).parlanceExport(path), path);
    if (unreadSince !== undefined || invite || rejects !== undefined || dryRun)
      throw new UsageError(
        '--unread-since, --invite, --rejects and --dry-run need --merge.',
        'Without --merge, the import restores everything into an empty database.',
      );
    return importIntoEmpty(call);
  },
});

export const importCommand = commandWithSubcommands('import', 'Import an export of another chat', [
  importFrom('slack', 'Slack', {
    file: ['<export.zip>', 'ZIP file from Slack'],
    open: ({ slackExport }, path) => slackExport(path),
  }),
  importFrom('mattermost', 'Mattermost', {
    file: ['<export>', 'JSON Lines file of the bulk export, or the ZIP file with it'],
    open: ({ mattermostExport }, path) => mattermostExport(path),
  }),
  importFrom('zulip', 'Zulip', {
    file: ['<export.tar.gz>', 'tar.gz file of the export, or its unpacked folder'],
    open: ({ zulipExport }, path) => zulipExport(path),
  }),
  importParlance,
]);

async function importFile({ options, terminal }: LocalCall<Flags>, source: ImportSource, path: string): Promise<void> {
  const { json, topic, download, invite, dryRun, rejects = `${basename(path)}.rejects.csv` } = options;
  const unreadSince = options.unreadSince === undefined ? undefined : startOf(options.unreadSince);
  const { location, place } = existingDatabase(options);
  await access(path, constants.R_OK).catch((error: Error) => {
    throw new UsageError(`Cannot read ${path}: ${problemOf(error)}`, 'Correct the path of the export.');
  });
  checkCanWrite(rejects);
  const { BadExport, importChat, smtp } = await import('../../lib/index.ts');
  const mailing = mailSettings();
  const { chat } = await openChatAt(location, {
    migrate: false,
    ...(await filesFor(location, options.uploads)),
    // E-mails wait in the database until a server sends them.
    mail: mailing && smtp(mailing),
  });
  const progress = keepingProgress(dryRun ? `Reading ${path}` : `Importing ${path}`, terminal);
  const interrupted = () => terminal.err(`Not finished. ${AGAIN}`);
  if (!dryRun) process.prependListener('SIGINT', interrupted);
  const rows = new RejectsFile(rejects);
  let hasImported = false;
  try {
    if (!(await chat.hasOrganization())) throw noOrganization(location);
    const result = await importChat(chat, source, {
      topic,
      unreadSince,
      download,
      invite,
      dryRun,
      onReject: (row) => rows.add(row),
      onProgress: ({ messages }) => {
        hasImported = !dryRun;
        if (!json) progress({ what: `${messages.toLocaleString('en')} messages`, done: 0 });
      },
    }).catch((error: unknown) => {
      if (!(error instanceof BadExport)) throw error;
      const advice = 'Imported records stay. Correct the export, then run the same command again to continue.';
      throw new Failure(error.message, hasImported ? advice : undefined, EXIT.usage);
    });
    if (json) showJson({ ...result, ...(rows.count > 0 ? { rejects } : {}) }, terminal);
    else report(result, { place, dryRun, invite }, terminal);
    if (!json) printFailures(rows.first, terminal);
    if (rows.count > 0)
      throw new Failure(
        `${dryRun ? 'Would skip' : 'Skipped'} ${counted(rows.count, 'row')} of the export.`,
        `The reasons are in ${rejects}.`,
      );
  } finally {
    process.off('SIGINT', interrupted);
    await chat.close();
  }
}

/** The start of a day in UTC. */
function startOf(date: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms))
    throw new UsageError(`--unread-since is not a date: ${JSON.stringify(date)}.`, 'Write it like 2026-11-01.');
  return ms;
}

/** Skipped rows to print. The file has all of them. */
const MAX_SHOWN = 20;

/** A CSV file with a reason for each skipped row. The first row creates it. */
class RejectsFile {
  count = 0;
  readonly first: string[] = [];

  constructor(private readonly path: string) {}

  add({ at, reason }: RejectedRow): void {
    if (this.count++ === 0) writeFileSync(this.path, `${csvLine(['at', 'reason'])}\n`);
    appendFileSync(this.path, `${csvLine([at, reason])}\n`);
    if (this.first.length < MAX_SHOWN) this.first.push(`${oneLine(at)}: ${oneLine(reason)}`);
  }
}

const NOUNS: Readonly<Record<ImportKind, string>> = {
  user: 'user',
  group: 'group',
  channel: 'channel',
  emoji: 'custom emoji',
  message: 'message',
  reaction: 'reaction',
  file: 'file',
};

function numbersOf(counts: Readonly<Record<ImportKind, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const texts = parts.map(([kind, count]) =>
    kind === 'emoji' ? `${count} ${NOUNS.emoji}` : counted(count, NOUNS[kind as ImportKind]),
  );
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

function report(
  { imported, present, losses, conflicts, invited }: ImportResult,
  { place, dryRun, invite }: { place: string; dryRun: boolean | undefined; invite: boolean | undefined },
  terminal: Terminal,
): void {
  for (const conflict of conflicts) terminal.out(oneLine(conflict));
  if (Object.keys(losses).length > 0) terminal.out('Not imported, or not as it was:');
  for (const [what, count] of Object.entries(losses)) terminal.out(`${String(count).padStart(7)}  ${oneLine(what)}`);
  const sentence = `${numbersOf(imported)} into ${place}.`;
  terminal.out(dryRun ? `Dry run: nothing was changed. Would import ${sentence}` : `Imported ${sentence}`);
  if (Object.values(present).some((count) => count > 0)) terminal.out(`Present already: ${numbersOf(present)}.`);
  if (invite && !dryRun) terminal.out(`The server sends ${counted(invited, 'e-mail')} with a link to set a password.`);
}
