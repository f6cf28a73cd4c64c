import type { MigrationPlan, MigrationStep } from '../../lib/index.ts';
import { shellWord } from '../../lib/internal.ts';
import { existingDatabase, planOf, withoutPassword, withStorage } from '../database.ts';
import { isInteractive } from '../input.ts';
import { fileSize, migrationNews } from '../output/progress.ts';
import { counted } from '../output/text.ts';
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
  const location = existingDatabase(options);
  const place = withoutPassword(location);
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

function planned({ from, to, steps }: MigrationPlan, place: string): string {
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
