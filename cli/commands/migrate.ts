import { Command } from 'commander';
import type { MigrationStep } from '../../lib/index.ts';
import { checkDatabase, DEFAULT_DATABASE, noOrganization, storageAt, withoutPassword } from '../database.ts';
import { addJsonOption, globalOptions } from '../global-options.ts';
import { migrationProgress } from '../migration-progress.ts';
import type { Terminal } from '../output/terminal.ts';

export function migrateCommand(terminal: Terminal): Command {
  const command = new Command('migrate')
    .summary('Bring a database of an older version up to date')
    .description(
      'Bring a database of an older version up to date. Servers may run on it meanwhile: those too old to go on ' +
        'afterwards answer with an error until they are restarted. What was interrupted goes on where it stopped.',
    )
    .option('--db <database>', `a file or a postgres:// address (CHATCTL_DB; default ${DEFAULT_DATABASE})`)
    .addHelpText('after', '\nExample:\n  chatctl migrate --db chat.db');
  return addJsonOption(command).action(() => migrate(command, terminal));
}

async function migrate(command: Command, terminal: Terminal): Promise<void> {
  const { json, db } = globalOptions(command);
  const location = db ?? process.env.CHATCTL_DB ?? DEFAULT_DATABASE;
  checkDatabase(location);
  await checkNotEmpty(location);
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
