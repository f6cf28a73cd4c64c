import { Command } from 'commander';
import { confirmUnlessYes, letAsk } from '../confirmation.ts';
import { chooseDatabase, filesFor, storageAt } from '../database.ts';
import { withoutPassword } from '../database-address.ts';
import { EXIT, Failure } from '../failure.ts';
import { addDatabaseOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { keepingProgress } from '../keeping-progress.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { shellWord } from '../shell-word.ts';
import { contentsOf, isBucket, summaryOf } from './backup.ts';

interface RestoreFlags {
  uploads?: string;
  replace?: string;
}

export function restoreCommand(terminal: Terminal): Command {
  const command = new Command('restore')
    .summary('Make a database of a backup')
    .description(
      'Make a database of a backup, in SQLite or PostgreSQL, whichever it is from. First the backup is read and compared; ' +
        'then the database appears in one piece. Passwords, API keys and links stay valid; clients notice that ' +
        'their queues of events ended, and fetch everything anew. E-mails and notifications that waited to be sent are sent again.',
    )
    .argument('<file>', 'a backup made by `chatctl backup`')
    .option(
      '--uploads <place>',
      'where uploaded files are to be kept (PARLANCE_UPLOADS; default: beside the file of the database)',
    )
    .option('--replace <name>', 'the name of the organization that is in the database now and is to go');
  letAsk(command);
  addExamples(command, [
    'restore chat.backup --db chat.db',
    'restore chat.backup --db postgres://localhost/chat --uploads /srv/chat/uploads',
    'restore chat.backup --db chat.db --replace Example --yes',
  ]);
  return addDatabaseOptions(command).action((file: string) => restoreFrom(command, file, terminal));
}

async function restoreFrom(command: Command, file: string, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { json } = options;
  const { uploads, replace } = command.opts<RestoreFlags>();
  const { location } = chooseDatabase(options);
  const place = withoutPassword(location);
  const { manifestOf, restore, StorageError } = await import('../../lib/index.ts');
  const { files: inside } = await readingBackup(file, async () => manifestOf(file));
  const { files } = isBucket(uploads) && inside.count === 0 ? {} : await filesFor(location, uploads);
  if (inside.count > 0 && !files) {
    throw new Failure(
      `${file} has ${inside.count} uploaded files, and it is not known where to keep them.`,
      EXIT.usage,
      'Give a folder with --uploads, or s3://bucket/prefix.',
    );
  }
  if (replace !== undefined) await confirmUnlessYes(command, `Let "${oneLine(replace)}" in ${place} go?`);
  const storage = await storageAt(location);
  let setAside: string | undefined;
  try {
    const options = {
      files,
      checkReplaceable: (name: string) => {
        if (name !== replace) throw occupied(place, name, replace);
      },
      onSetAside: (aside: string) => {
        setAside = aside;
      },
      ...(json ? {} : { onStep: keepingProgress(`Restoring ${place}`, terminal) }),
    };
    const manifest = await readingBackup(file, () => restore(file, storage, options)).catch((error: unknown) => {
      if (!(error instanceof StorageError && error.reason === 'busy')) throw error;
      throw new Failure(error.message, EXIT.refused, 'Stop whatever uses it, then try again.');
    });
    const show = json ? () => undefined : keepingProgress(`Bringing ${place} up to date`, terminal);
    await storage.open({ onMigration: ({ name, filled }) => show({ what: name, done: 0, ...filled }) });
    if (json) {
      terminal.out(JSON.stringify({ db: place, ...summaryOf(manifest), ...(setAside ? { set_aside: setAside } : {}) }));
      return;
    }
    const made = new Date(manifest.made_ms).toISOString().slice(0, 16).replace('T', ' ');
    terminal.out(`Restored "${manifest.organization}" into ${place}, as it was at ${made} UTC.`);
    terminal.out(`In it: ${contentsOf(manifest)}.`);
    if (!inside.included) terminal.err('Its uploaded files were not in the backup.');
    if (setAside)
      terminal.out(`The database that was there before is ${setAside}; delete it when you need it no more.`);
    terminal.out('Passwords, API keys and links stay valid; clients fetch everything anew.');
    terminal.out(`Next: chatctl check --db ${shellWord(place)}`);
  } finally {
    await storage.close();
  }
}

function occupied(place: string, name: string, replace: string | undefined): Failure {
  const said = replace === undefined ? '' : ` It is not called "${replace}".`;
  return new Failure(
    `${place} holds the organization "${name}" already.${said}`,
    EXIT.refused,
    `Name another database with --db, or let it go with --replace ${shellWord(name)}.`,
  );
}

const BACKUP_ADVICE: Partial<Record<string, string>> = {
  unreachable: 'Check the path and who may read the file.',
  'foreign-application': 'Give a file made by `chatctl backup`.',
  'newer-version': 'Restore it with a newer chatctl.',
  io: 'Restore another backup, or another copy of this one; no database was changed.',
};

/** What is amiss with the backup wants other advice than what is amiss with a database. */
async function readingBackup<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { StorageError } = await import('../../lib/index.ts');
    if (!(error instanceof StorageError)) throw error;
    // The message begins with what it is about.
    const isOfBackup = error.message.replace('There is no file ', '').startsWith(file);
    throw isOfBackup ? new Failure(error.message, EXIT.unreachable, BACKUP_ADVICE[error.reason]) : error;
  }
}
