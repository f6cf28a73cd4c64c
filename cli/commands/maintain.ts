import { statSync } from 'node:fs';
import type { Finding, Manifest, MigrationPlan, MigrationStep } from '../../lib/index.ts';
import { shellWord } from '../../lib/internal.ts';
import {
  bucketOf,
  chooseDatabase,
  existingDatabase,
  filesFor,
  isPostgres,
  planOf,
  uploadFolder,
  withStorage,
} from '../database.ts';
import { adviceHere } from '../doctor/report.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { checkCanWrite } from '../files.ts';
import { isInteractive } from '../input.ts';
import { contentsOf, countsOf } from '../output/contents.ts';
import { fileSize, keepingProgress, migrationNews } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { counted, oneLine } from '../output/text.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

export const migrateCommand = databaseCommand('migrate', {
  summary: 'Migrate a database to this version',
  description:
    'Migrate a database to this version of Parlance. Servers can keep running. Servers too old for the new schema ' +
    'respond with 503 until you restart them. An interrupted migration resumes where it stopped.',
  options: [['--dry-run', 'change nothing; show the steps and how long they take']],
  asks: true,
  examples: ['migrate --db chat.db --dry-run', 'migrate --db chat.db --yes'],
  run: migrate,
});

async function migrate({ options, terminal, confirm, print }: LocalCall<{ dryRun?: boolean; yes?: boolean }>) {
  const { json, dryRun, yes } = options;
  const { location, place } = existingDatabase(options);
  const plan = await planOf(location);
  if (dryRun) return print({ db: place, ...plan }, planned(plan, place));
  if (!yes && plan.steps.length > 0) {
    if (isInteractive()) terminal.err(planned(plan, place));
    await confirm(`Migrate ${place}?`);
  }
  const show = json ? () => undefined : migrationNews(location, terminal.err).step;
  const done = new Map<number, string>();
  const onMigration = (step: MigrationStep) => {
    done.set(step.version, step.name);
    show(step);
  };
  await withStorage(location, (storage) => storage.open({ onMigration }));
  const migrations = [...done].map(([version, name]) => ({ version, name }));
  const names = migrations.map(({ name }) => name).join(', ');
  print({ db: place, migrations }, names === '' ? `${place} is up to date.` : `Migrated ${place}: ${names}.`);
}

/** The steps of a migration, and that it cannot be undone. */
export function planned({ from, to, steps }: MigrationPlan, place: string): string {
  if (steps.length === 0) return `${place} is up to date (schema ${to}).`;
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  const lines = steps.map(
    ({ version, name, rows, breaking }) =>
      `  ${version}, ${name}${rows > 0 ? `: ${counted(rows, 'row')}` : ''}${breaking ? ' (older servers stop working)' : ''}`,
  );
  return [
    `Would migrate ${place} from schema ${from} to ${to}:`,
    ...lines,
    `Takes about ${seconds < 90 ? `${Math.max(1, seconds)} s` : `${Math.ceil(seconds / 60)} min`}${bytes > 0 ? ` and ${fileSize(bytes)} more disk space` : ''}. Nothing was changed.`,
    ...(steps.some(({ breaking }) => breaking)
      ? ['Servers of an older version on this database then respond with 503. Restart them with this version.']
      : []),
    `You cannot undo a migration. Back up first: chatctl backup FILE --db ${shellWord(place)}`,
  ].join('\n');
}

export const backupCommand = databaseCommand('backup', {
  summary: 'Back up an organization to one file',
  description:
    'Back up an organization and its uploaded files to one file that only you can read. Servers can keep running. ' +
    'The file contains secrets. Restore it with `chatctl restore`.',
  args: [['<file>', 'the backup file to create']],
  options: [
    [
      '--uploads <place>',
      'folder of uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads); files in s3:// are not backed up',
    ],
    ['--force', 'replace an existing backup'],
    [
      '--allow-missing-files',
      'make a backup that lacks uploaded files; it never replaces one that has them (default: make none, exit code 1)',
    ],
  ],
  examples: ['backup /backups/chat-2026-11-23.backup --db chat.db'],
  run: backUpTo,
});

type Flags = { uploads?: string; force?: boolean; allowMissingFiles?: boolean };

async function backUpTo({ args, options, terminal, print }: LocalCall<Flags>): Promise<void> {
  const [file = ''] = args;
  const { json, uploads, force, allowMissingFiles } = options;
  const { location, place } = existingDatabase(options);
  const bucket = bucketOf(uploads);
  checkCanWrite(file, { isNew: !force });
  const { backUp, StorageError } = await import('../../lib/index.ts');
  await withStorage(location, async (storage) => {
    const choices = {
      ...(bucket ? {} : await filesFor(location, uploads)),
      allowMissingFiles: allowMissingFiles === true || bucket !== undefined,
      replace: force === true,
      onStep: json ? undefined : keepingProgress(`Backing up ${place}`, terminal),
    };
    const manifest = await backUp(storage, file, choices).catch((error: unknown) => {
      if (error instanceof StorageError && error.reason === 'files-missing')
        throw new Failure(error.message, missingFilesAdvice(location, uploads, choices.allowMissingFiles));
      // A problem with the backup file needs other advice than a problem with the database.
      const isOfFile = error instanceof StorageError && error.reason === 'foreign-application';
      if (!isOfFile || !error.message.startsWith(`${file} `)) throw error;
      throw new Failure(error.message, 'Choose another file.');
    });
    const size = statSync(file).size;
    const sentence = `Backed up "${manifest.organization}" from ${place} to ${file} (${fileSize(size)}, verified).`;
    print({ file, size, ...summaryOf(manifest) }, `${sentence}\nContents: ${contentsOf(manifest)}.`);
    const missing = json ? '' : missingIn(manifest, uploads);
    if (missing !== '') terminal.err(`NOT included: ${missing}`);
  });
}

function missingFilesAdvice(location: string, uploads: string | undefined, areAllowed: boolean): string {
  if (areAllowed) return 'Choose another file.';
  const folder = uploadFolder(location, uploads);
  const where = folder === undefined ? '' : `Looked in ${folder}. `;
  return `${where}Give the right folder with --uploads, or add --allow-missing-files to back up without them.`;
}

function summaryOf(manifest: Manifest) {
  const { organization, made_ms, version, files } = manifest;
  return {
    organization,
    made: new Date(made_ms).toISOString(),
    version,
    ...countsOf(manifest),
    files: { included: files.included, count: files.count, bytes: files.bytes, missing: files.missing.length },
  };
}

function missingIn({ files }: Manifest, uploads: string | undefined): string {
  if (!files.included) {
    const bucket = bucketOf(uploads);
    const where = bucket ? `they stay in ${bucket}. Back up the bucket separately` : 'give their folder with --uploads';
    return `uploaded files; ${where}.`;
  }
  const [first = '', ...more] = files.missing;
  if (first === '') return '';
  return `${more.length + 1} uploaded files, missing from their folder (just removed, or lost): ${first}${more.length > 0 ? ', …' : ''}.`;
}

export const restoreCommand = databaseCommand('restore', {
  summary: 'Restore a backup to a new database',
  description:
    'Restore a backup to a new SQLite or PostgreSQL database. The backup may be from either. The backup is verified ' +
    'first. Passwords, API keys and links stay valid. E-mails and notifications that were waiting are sent again.',
  args: [['<file>', 'a backup made by `chatctl backup`']],
  options: [
    ['--uploads <place>', 'where to put uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)'],
    ['--replace <name>', 'name of the organization in the database that you want to replace'],
  ],
  asks: true,
  examples: ['restore chat.backup --db chat.db', 'restore chat.backup --db chat.db --replace Example --yes'],
  run: restoreFrom,
});

async function restoreFrom({ args, options, terminal, confirm }: LocalCall<{ uploads?: string; replace?: string }>) {
  const [file = ''] = args;
  const { json, uploads, replace } = options;
  const { location, place } = chooseDatabase(options);
  const { manifestOf, restore, StorageError } = await import('../../lib/index.ts');
  const { files: inside } = await readingBackup(file, async () => manifestOf(file));
  const { files } = bucketOf(uploads) && inside.count === 0 ? {} : await filesFor(location, uploads);
  if (inside.count > 0 && !files)
    throw new UsageError(
      `${file} contains ${inside.count} uploaded files, but no place to put them is set.`,
      'Set --uploads to a folder or to s3://bucket/prefix.',
    );
  const loss = isPostgres(location) ? ' PostgreSQL keeps nothing of it: back it up first.' : '';
  if (replace !== undefined) await confirm(`Replace "${oneLine(replace)}" in ${place}?${loss}`);
  let setAside: string | undefined;
  await withStorage(location, async (storage) => {
    const choices = {
      files,
      checkReplaceable: (name: string) => {
        if (name === replace) return;
        const other = replace === undefined ? '' : ` Its name is not "${replace}".`;
        throw new Failure(
          `${place} already contains the organization "${name}".${other}`,
          `Choose another database with --db, or replace this one with --replace ${shellWord(name)}.`,
        );
      },
      onSetAside: (aside: string) => {
        setAside = aside;
      },
      onStep: json ? undefined : keepingProgress(`Restoring ${place}`, terminal),
    };
    const manifest = await readingBackup(file, () => restore(file, storage, choices)).catch((error: unknown) => {
      if (!(error instanceof StorageError && error.reason === 'busy')) throw error;
      throw new Failure(error.message, 'Stop the other process, then try again.');
    });
    const show = json ? () => undefined : keepingProgress(`Migrating ${place}`, terminal);
    await storage.open({ onMigration: ({ name, filled }) => show({ what: name, done: 0, ...filled }) });
    if (json) return showJson({ db: place, ...summaryOf(manifest), set_aside: setAside }, terminal);
    const made = new Date(manifest.made_ms).toISOString().slice(0, 16).replace('T', ' ');
    terminal.out(`Restored "${manifest.organization}" into ${place}, as it was at ${made} UTC.`);
    terminal.out(`Contents: ${contentsOf(manifest)}.`);
    if (!inside.included) terminal.err('The backup does not contain the uploaded files.');
    if (setAside) terminal.out(`The previous database is kept as ${setAside}. Delete it when you no longer need it.`);
    terminal.out('Passwords, API keys and links are still valid. Clients reload their data.');
    const folder = uploads === undefined ? '' : ` --uploads ${shellWord(uploads)}`;
    terminal.out(`Next: chatctl check --db ${shellWord(place)}${folder}`);
  });
}

const BACKUP_ADVICE: Partial<Record<string, string>> = {
  unreachable: 'Check the path and the permissions of the file.',
  'foreign-application': 'Use a file created by `chatctl backup`.',
  'newer-version': 'Upgrade chatctl to restore it.',
  io: 'No database was changed. Restore another backup, or another copy of this backup.',
};

/** Runs `run`. A problem with the backup file gets other advice than a problem with the database. */
async function readingBackup<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { StorageError } = await import('../../lib/index.ts');
    if (!(error instanceof StorageError)) throw error;
    // The message begins with the file or the database it is about.
    if (!error.message.replace('There is no file ', '').startsWith(file)) throw error;
    const isOther = error.reason === 'unreachable' || error.reason === 'foreign-application';
    throw new Failure(error.message, BACKUP_ADVICE[error.reason], isOther ? EXIT.usage : EXIT.unreachable);
  }
}

export const checkCommand = databaseCommand('check', {
  summary: 'Check a database for damage',
  description:
    'Check a database for damage: tables, references, read state, search index and uploaded files. ' +
    'Servers can keep running. Changes nothing. Prints each problem with its fix. The exit code is 1 if there is a problem.',
  options: [['--uploads <place>', 'folder of uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)']],
  examples: ['check --db chat.db'],
  run: checkChosen,
});

async function checkChosen({ options, terminal }: LocalCall<{ uploads?: string }>): Promise<void> {
  const { json, uploads } = options;
  const database = existingDatabase(options);
  const { location, place } = database;
  const { check } = await import('../../lib/index.ts');
  await withStorage(location, async (storage) => {
    const { files } = await filesFor(location, uploads);
    const { checks, findings } = await check(storage, {
      files,
      onStep: json ? undefined : keepingProgress(`Checking ${place}`, terminal),
    });
    if (json) showJson({ db: place, checks, findings }, terminal);
    else
      for (const finding of findings) terminal.out(findingText(finding, adviceHere(finding.advice, database, uploads)));
    if (!json && !files) {
      const advice = bucketOf(uploads) ? '' : ' Give their folder with --uploads.';
      terminal.err(`Uploaded files were not checked.${advice}`);
    }
    if (findings.length > 0) throw new Failure(`${findings.length} of ${checks} checks of ${place} found problems.`);
    if (!json) terminal.out(`${place} is OK: ${checks} checks found no problems.`);
  });
}

function findingText({ says, count, examples }: Finding, advice: string): string {
  const more = count > examples.length ? '; …' : '';
  return `${says}\n  ${examples.join('; ')}${more}\n  ${advice}`;
}
