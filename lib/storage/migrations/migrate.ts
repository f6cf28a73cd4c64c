import { setTimeout as delay } from 'node:timers/promises';
import { present } from '../../base/present.ts';
import type { MigrationStep, OpenOptions } from '../interface/storage.ts';
import type { Connection, Eventually } from '../sql/connection.ts';
import { checkNotMoved } from '../sql/move-marks.ts';
import { StorageError } from '../storage-error.ts';
import { type Filling, type Migration, newestOf } from './migration.ts';

/** A database before it is open. */
export interface Unopened {
  connection: Connection;
  /** Name of the database in errors. */
  place: string;
  /** Runs a script of several statements. */
  exec(script: string): Eventually<unknown>;
  /** Runs work that only reads. */
  look<T>(work: () => Promise<T>): Promise<T>;
  /** Runs an exclusive write transaction. */
  change<T>(work: () => Promise<T>): Promise<T>;
}

/** The applied migrations, and the position of unfinished fills. */
export const JOURNAL = `
CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS unfinished_fills (
  version INTEGER PRIMARY KEY,
  filled_to INTEGER NOT NULL
) STRICT;
`;

interface State {
  /** Newest applied migration. 0 in an empty database. */
  version: number;
  /** The migration whose fill is unfinished, and its position. */
  unfinished: number | null;
  filled_to: number | null;
}

const STATE = `
  SELECT COALESCE(MAX(version), 0) AS version, (SELECT MIN(version) FROM unfinished_fills) AS unfinished,
    (SELECT filled_to FROM unfinished_fills ORDER BY version LIMIT 1) AS filled_to
  FROM migrations`;

/**
 * Migrates the database, one step per transaction: a migration, or a part of its fill. After a crash, the next process
 * continues after the last step. Several processes share the steps. An empty database is created in one transaction.
 */
export async function migrate(
  database: Unopened,
  known: readonly Migration[],
  { migrate: mayMigrate = true, onMigration }: OpenOptions = {},
): Promise<void> {
  const newest = newestOf(known);
  const found = await database.look(async () => {
    const state = await firstLook(database);
    // Tables of an older schema lack the column. Their error follows.
    if (state.version > 0 && state.version >= (known[0]?.version ?? 0))
      await checkNotMoved(database.connection, await requiredSchemaIn(database.connection));
    return state;
  });
  checkUsable(found, known, database.place);
  const isNew = found.version === 0;
  if (mayMigrate !== true && !(mayMigrate === 'new' && isNew)) {
    checkVersion(found, newest, database.place);
    return;
  }
  if (found.version === newest && found.unfinished === null) return;
  for (let isFirst = true; ; isFirst = false) {
    const start = performance.now();
    const steps = await database.change(async () => {
      if (isFirst) await database.exec(database.connection.dialect.schema(JOURNAL));
      return nextSteps(database, known, { isNew });
    });
    for (const step of steps) onMigration?.({ ...step, isNew });
    if (steps.length === 0 || isNew) return;
    // SQLite has no fair queue for its lock: leave half of the time to other writers.
    if (steps.some(({ filled }) => filled)) await delay(performance.now() - start);
  }
}

export async function requiredSchemaIn(connection: Connection): Promise<number> {
  return (await connection.value('SELECT MAX(required_schema) AS required FROM organization')) ?? 0;
}

/** Also works without the journal table, or with one from before fills existed. */
async function firstLook({ connection }: Unopened): Promise<State> {
  if (await hasTable(connection, 'unfinished_fills')) return stateOf(connection);
  const found = (await hasTable(connection, 'migrations'))
    ? await connection.get<{ version: number }>('SELECT COALESCE(MAX(version), 0) AS version FROM migrations')
    : undefined;
  return { version: found?.version ?? 0, unfinished: null, filled_to: null };
}

async function stateOf(connection: Connection): Promise<State> {
  return present(await connection.get<State>(STATE));
}

type Step = Omit<MigrationStep, 'isNew'>;

/** All steps of a new database, which no other process uses. Otherwise one. */
async function nextSteps(
  database: Unopened,
  known: readonly Migration[],
  { isNew }: { isNew: boolean },
): Promise<Step[]> {
  const steps: Step[] = [];
  for (;;) {
    const step = await nextStep(database, known);
    if (step) steps.push(step);
    if (!step || !isNew) return steps;
  }
}

/** A fill must end before the next migration, which may depend on it. */
async function nextStep(database: Unopened, known: readonly Migration[]): Promise<Step | undefined> {
  const { connection, exec, place } = database;
  const state = await stateOf(connection);
  checkUsable(state, known, place);
  if (state.unfinished !== null) {
    const migration = known.find(({ version }) => version === state.unfinished);
    if (!migration?.fill) throw new Error(`Migration ${state.unfinished} fills nothing.`);
    const { version, name } = migration;
    return { version, name, filled: await fillSome(connection, migration.fill, version, state.filled_to ?? 0) };
  }
  const migration = known.find(({ version }) => version > state.version);
  if (!migration) return undefined;
  const { version, name } = migration;
  await exec(connection.dialect.schema(migration.sql));
  await connection.run('INSERT INTO migrations (version, name, applied_ms) VALUES (?, ?, ?)', [
    version,
    name,
    Date.now(),
  ]);
  if (migration.fill) {
    await connection.run('INSERT INTO unfinished_fills (version, filled_to) VALUES (?, 0)', [version]);
  }
  // Never lower: it may be the mark of a move.
  if (migration.isBreaking)
    await connection.run('UPDATE organization SET required_schema = ? WHERE required_schema < ?', [version, version]);
  return { version, name };
}

async function fillSome(
  connection: Connection,
  fill: Filling,
  version: number,
  after: number,
): Promise<NonNullable<MigrationStep['filled']>> {
  const filled = await fill.some(connection, after);
  if (filled) {
    await connection.run('UPDATE unfinished_fills SET filled_to = ? WHERE version = ?', [filled.to, version]);
    return { done: filled.to, total: filled.total };
  }
  await connection.run('DELETE FROM unfinished_fills WHERE version = ?', [version]);
  return { done: after, total: after };
}

/** The last commit that upgrades databases from before the baseline. */
const LAST_COMMIT_FOR_OLDER = 'b232856b';

/**
 * @param version of a database or backup. 0 if it is empty
 * @param place its name in errors
 * @throws StorageError `newer-version`; `too-old` if it is from before the first known migration
 */
export function checkKnown(version: number, known: readonly Migration[], place: string): void {
  const [oldest, newest] = [known[0]?.version ?? 0, newestOf(known)];
  const written = (age: string) =>
    `${place} was written by ${age} version of Parlance (schema ${version}, this one knows`;
  if (version > newest) throw new StorageError(`${written('a newer')} ${newest}).`, 'newer-version');
  if (version === 0 || version >= oldest) return;
  throw new StorageError(
    `${written('an older')} ${oldest} and later). Upgrade it with commit ${LAST_COMMIT_FOR_OLDER} first, then with this version.`,
    'too-old',
  );
}

function checkUsable({ version, unfinished }: State, known: readonly Migration[], place: string): void {
  // An unfinished fill of an earlier migration needs its code.
  checkKnown(Math.min(version, unfinished ?? version), known, place);
}

/** Code that depends on an unfinished fill would miss rows. */
function checkVersion({ version, unfinished }: State, newest: number, place: string): void {
  if (version === newest && unfinished !== null)
    throw new StorageError(`A migration of ${place} has not finished.`, 'older-version');
  if (version === newest) return;
  if (version === 0) throw new StorageError(`${place} is empty.`, 'empty');
  throw new StorageError(
    `${place} was written by an older version of Parlance (schema ${version}, this one works with ${newest}).`,
    'older-version',
  );
}

const HAS_TABLE = {
  sqlite: 'SELECT 1 AS one FROM sqlite_schema WHERE name = ?',
  postgres: 'SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?',
};

export async function hasTable(connection: Connection, name: string): Promise<boolean> {
  return (await connection.get(HAS_TABLE[connection.dialect.name], [name])) !== undefined;
}
