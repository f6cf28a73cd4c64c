import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FileStore, KeepingStep, Move } from '../../lib/index.ts';
import { shellWord } from '../../lib/internal.ts';
import { bucketOf, existingDatabase, filesFor, uploadFolder, withoutPassword, withStorage } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { keepingProgress } from '../output/progress.ts';
import type { Terminal } from '../output/terminal.ts';
import { counted, oneLine } from '../output/text.ts';
import { commandWithSubcommands, databaseCommand, type LocalCall } from './local-command.ts';

type Flags = {
  to?: string;
  uploads?: string;
  toUploads?: string;
  allowMissingFiles?: boolean;
  switch?: string;
  dryRun?: boolean;
};

const move = databaseCommand<Flags>('move', {
  summary: 'Move an organization to another database while servers use it',
  description:
    'Move an organization to another SQLite file or PostgreSQL server while servers use it. Writes stop only at the ' +
    'end, for about a second. Then --switch tells your servers where the organization is. Event queues continue. ' +
    'After an interruption, run the same command again, or `chatctl tenants cancel`.',
  options: [
    ['--to <database>', 'the new database: a file or a postgres:// address (with ?schema=NAME)'],
    ['--switch <command>', 'shell command that points your servers to the new database, run while writes are stopped'],
    ['--uploads <place>', 'where uploaded files are (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)'],
    ['--to-uploads <place>', 'where to copy them (default: they stay; SQLite default: DATABASE-uploads)'],
    ['--allow-missing-files', 'move although uploaded files are missing'],
    ['--dry-run', 'change nothing; check both databases and count'],
  ],
  asks: true,
  examples: [
    'tenants move --db acme.db --to postgres://chat@two/chat?schema=acme --to-uploads /srv/acme --dry-run',
    'tenants move --db postgres://chat@one/chat --schema acme --to postgres://chat@two/chat?schema=acme --switch "./place acme two" --yes',
  ],
  run: moveTenant,
});

async function moveTenant({ options, terminal, confirm, print }: LocalCall<Flags>): Promise<void> {
  const { json, dryRun = false } = options;
  if (options.to === undefined) throw new UsageError('Name the new database with --to.');
  const { location, place } = existingDatabase(options);
  const to = options.to;
  const places = { from: place, to: withoutPassword(to) };
  if (location === to) throw new UsageError('--to is the database itself.', 'Name another one.');
  const { moveOrganization, StorageError } = await import('../../lib/index.ts');
  await withStorage(location, (source) =>
    withStorage(to, async (target) => {
      const plan = await moveOrganization(source, target, { places, dryRun: true }).catch((error: unknown) => {
        if (!(error instanceof StorageError) || !error.message.includes('already contains')) throw error;
        throw new Failure(error.message, 'Choose another database with --to.');
      });
      const files = await filesToCopy(plan, { ...options, location, to });
      if (dryRun) return print(shown(plan, places, { dryRun }), planned(plan, places, files !== undefined));
      await confirm(`Move "${oneLine(plan.organization)}" from ${place} to ${places.to}?`);
      const interrupted = () => terminal.err(AGAIN);
      // Before the listener that exits.
      process.prependListener('SIGINT', interrupted);
      const progress = keepingProgress(`Moving ${place}`, terminal);
      const onStep = (step: KeepingStep) => {
        if (step.what === 'stopping writes') terminal.err('Stopping writes.');
        else progress(step);
      };
      try {
        const done = await moveOrganization(source, target, {
          places,
          files,
          allowMissingFiles: options.allowMissingFiles,
          onSwitch: () => runSwitch(options.switch, terminal),
          onStep: json ? undefined : onStep,
        });
        print(shown(done, places, { dryRun }), moved(done, places));
      } catch (error) {
        if (error instanceof StorageError && error.reason === 'files-missing')
          throw new Failure(
            error.message,
            'Give the right place with --uploads, or add --allow-missing-files to move without them.',
          );
        throw error;
      } finally {
        process.off('SIGINT', interrupted);
      }
    }),
  );
}

const AGAIN = 'Run the same command again to continue, or `chatctl tenants cancel`.';

type Places = { from: string; to: string };

const shown = (
  { organization, messages, files, changes, stoppedMs, isContinued }: Move,
  { from, to }: Places,
  { dryRun }: { dryRun: boolean },
) => ({
  dry_run: dryRun,
  organization,
  from,
  to,
  messages,
  files,
  changes,
  stopped_ms: stoppedMs,
  is_continued: isContinued,
});

function planned({ organization, messages, files, isContinued }: Move, { from, to }: Places, areCopied: boolean) {
  const name = oneLine(organization);
  if (isContinued) return `Would complete the interrupted move of "${name}" to ${to}. Nothing was changed.`;
  const uploads = `${counted(files, 'uploaded file')}${files > 0 && !areCopied ? ' (they stay where they are)' : ''}`;
  return `Would move "${name}" from ${from} to ${to}: ${counted(messages, 'message')}, ${uploads}. Nothing was changed.`;
}

function moved({ organization, messages, files, stoppedMs, isContinued }: Move, { from, to }: Places): string {
  const name = oneLine(organization);
  return [
    isContinued
      ? `Completed the interrupted move of "${name}" to ${to}.`
      : `Moved "${name}" from ${from} to ${to}: ${counted(messages, 'message')}, ${counted(files, 'uploaded file')} copied. Writes stopped for ${(stoppedMs / 1000).toFixed(1)} s.`,
    `${from} keeps the old content and refuses all use. Delete it when you no longer need it.`,
    `Next: chatctl check --db ${shellWord(to)}`,
  ].join('\n');
}

/** undefined: the files stay in their store. */
async function filesToCopy(
  { files }: Move,
  { location, to, uploads, toUploads }: { location: string; to: string; uploads?: string; toUploads?: string },
): Promise<{ from: FileStore; to: FileStore } | undefined> {
  const here = bucketOf(uploads) ?? uploadFolder(location, uploads);
  const there = bucketOf(toUploads) ?? uploadFolder(to, toUploads);
  if (files === 0 || here === there) return undefined;
  const advice = 'If they stay in their store, give the same place twice.';
  if (here === undefined)
    throw new UsageError(
      `${counted(files, 'uploaded file')} must be copied. Say where they are with --uploads.`,
      advice,
    );
  if (there === undefined)
    throw new UsageError(`${counted(files, 'uploaded file')} must be copied. Say where to with --to-uploads.`, advice);
  const [source, target] = [await filesFor(location, uploads), await filesFor(to, toUploads)];
  return source.files && target.files && { from: source.files, to: target.files };
}

/** Its output goes to stderr. */
async function runSwitch(command: string | undefined, terminal: Terminal): Promise<void> {
  if (command === undefined) return;
  const program = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(program, 'close') as Promise<[number | null, string | null]>;
  for await (const line of createInterface(program.stdout)) terminal.err(line);
  const [code, signal] = await closed;
  if (code === 0) return;
  throw new Failure(
    `The organization has moved, but the command of --switch failed (${signal ?? `exit code ${code}`}).`,
    'Correct it, then run the same command again. Until then, the organization answers 503.',
  );
}

const cancel = databaseCommand('cancel', {
  summary: 'Cancel an interrupted move; the organization stays where it is',
  description:
    'Cancel an interrupted move. The organization stays in this database, which stops noting changes. Delete the ' +
    'incomplete copy yourself. An organization that has moved can only be moved back.',
  examples: ['tenants cancel --db acme.db'],
  run: async ({ options, print }) => {
    const { location, place } = existingDatabase(options);
    const { cancelMove } = await import('../../lib/index.ts');
    const wasMoving = await withStorage(location, cancelMove);
    const text = wasMoving ? `Cancelled the move of ${place}.` : `${place} is not being moved.`;
    print({ db: place, cancelled: wasMoving }, text);
  },
});

/** `chatctl tenants`: moves between databases. A server has no operations for them: it knows only its own database. */
export const tenantsCommand = commandWithSubcommands('tenants', 'Move organizations between databases', [move, cancel]);
