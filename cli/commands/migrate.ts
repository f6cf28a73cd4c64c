import { Command } from 'commander';
import type { MigrationPlan, MigrationStep } from '../../lib/index.ts';
import { confirmUnlessYes, letAsk } from '../confirmation.ts';
import { checkDatabase, chooseDatabase, noOrganization, storageAt } from '../database.ts';
import { withoutPassword } from '../database-address.ts';
import { addDatabaseOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { isInteractive } from '../input.ts';
import { migrationProgress } from '../migration-progress.ts';
import { fileSize } from '../output/sizes.ts';
import type { Terminal } from '../output/terminal.ts';
import { shellWord } from '../shell-word.ts';

export function migrateCommand(terminal: Terminal): Command {
  const command = new Command('migrate')
    .summary('Bring a database of an older version up to date')
    .description(
      'Bring a database of an older version up to date. Servers may run on it meanwhile: those too old to go on ' +
        'afterwards answer with an error until they are restarted. What was interrupted goes on where it stopped.',
    )
    .option('--dry-run', 'say what would be done and how long it takes, and do nothing of it');
  letAsk(command);
  addExamples(command, ['migrate --db chat.db --dry-run', 'migrate --db chat.db --yes']);
  return addDatabaseOptions(command).action(() => migrate(command, terminal));
}

async function migrate(command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { json } = options;
  const database = chooseDatabase(options);
  checkDatabase(database);
  const { location } = database;
  await checkNotEmpty(location);
  if (command.opts<{ dryRun?: boolean }>().dryRun) return tellPlan(location, json === true, terminal);
  if (!command.opts<{ yes?: boolean }>().yes && (await planOf(location)).steps.length > 0) {
    if (isInteractive()) await tellPlan(location, false, { ...terminal, out: terminal.err });
    await confirmUnlessYes(command, `Bring ${withoutPassword(location)} up to date?`);
  }
  const show = json ? () => undefined : migrationProgress(location, terminal);
  const done = new Map<number, string>();
  const onMigration = (step: MigrationStep) => {
    done.set(step.version, step.name);
    show(step);
  };
  const storage = await storageAt(location);
  try {
    await storage.open({ onMigration });
  } finally {
    await storage.close();
  }
  const place = withoutPassword(location);
  const migrations = [...done].map(([version, name]) => ({ version, name }));
  if (json) terminal.out(JSON.stringify({ db: place, migrations }));
  else if (migrations.length === 0) terminal.out(`${place} is up to date.`);
  else terminal.out(`${place} is up to date now; migrated: ${migrations.map(({ name }) => name).join(', ')}.`);
}

/** Making a database is another command's business. */
async function checkNotEmpty(location: string): Promise<void> {
  const { StorageError } = await import('../../lib/index.ts');
  const storage = await storageAt(location);
  try {
    await storage.open({ migrate: false });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.reason === 'empty') throw noOrganization(location);
    if (error.reason !== 'older-version') throw error;
  } finally {
    await storage.close();
  }
}

async function tellPlan(location: string, json: boolean, terminal: Terminal): Promise<void> {
  const place = withoutPassword(location);
  const plan = await planOf(location);
  if (json) terminal.out(JSON.stringify({ db: place, ...plan }));
  else terminal.out(planned(plan, place).join('\n'));
}

async function planOf(location: string): Promise<MigrationPlan> {
  const { planMigration } = await import('../../lib/index.ts');
  const storage = await storageAt(location);
  try {
    return await planMigration(storage);
  } finally {
    await storage.close();
  }
}

function planned({ from, to, steps }: MigrationPlan, place: string): string[] {
  if (steps.length === 0) return [`${place} is up to date (schema ${to}); nothing would be done.`];
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  const lines = steps.map(
    ({ version, name, rows, breaking }) =>
      `  ${version}, ${name}${rows > 0 ? `: goes through ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}` : ''}${breaking ? ' (ends older servers)' : ''}`,
  );
  return [
    `${place} would go from schema ${from} to ${to}:`,
    ...lines,
    `Takes about ${seconds < 90 ? `${Math.max(1, seconds)} s` : `${Math.ceil(seconds / 60)} min`}${bytes > 0 ? ` and ${fileSize(bytes)} more on the disk` : ''}; nothing has been done.`,
    ...(steps.some(({ breaking }) => breaking)
      ? ['Servers of an older version that run on it answer 503 from then on: restart them with this version.']
      : []),
    `There is no way back but a backup: chatctl backup FILE --db ${shellWord(place)}`,
  ];
}
