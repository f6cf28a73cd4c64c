import { countOf, type Keepable } from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { hasTable } from '../storage/migrations/migrate.ts';
import { newestOf } from '../storage/migrations/migration.ts';
import type { Connection } from '../storage/sql/connection.ts';

/** The migrations that opening a database would apply. */
export interface MigrationPlan {
  /** Newest migration of the database. */
  from: number;
  /** Newest migration of this version of Parlance. */
  to: number;
  /** The migrations in order. Empty if the database is up to date. */
  steps: PlannedMigration[];
}

/** One migration of a plan. */
export interface PlannedMigration {
  /** Number of the migration. */
  version: number;
  /** Short description. */
  name: string;
  /** Whether running processes of older versions refuse all requests afterwards, until you restart them. */
  breaking: boolean;
  /** Rows to process in small transactions, while servers keep running. 0: no rows. */
  rows: number;
  /** Rough duration in seconds on current hardware. */
  seconds: number;
  /** Rough growth of the database in bytes. */
  bytes: number;
}

/**
 * Plans the migrations of a database. Changes nothing.
 * @throws StorageError `empty` if there are no tables, `newer-version` or `too-old` if this version cannot read the
 * database
 * @example const { steps } = await planMigration(sqlite('chat.db'));
 */
export function planMigration(storage: Keepable): Promise<MigrationPlan> {
  return storage.inspect(async (connection, version) => {
    const unfinished = await unfinishedIn(connection);
    const ahead = migrations.filter((each) => each.version > version || unfinished.has(each.version));
    const steps: PlannedMigration[] = [];
    for (const { version: number, name, isBreaking = false, fill } of ahead) {
      const { goesThrough, perSecond = 20_000, bytesEach = 0 } = fill ?? { goesThrough: [] };
      const rows = await rowsIn(connection, goesThrough);
      steps.push({
        version: number,
        name,
        breaking: isBreaking && number > version,
        rows,
        seconds: Math.ceil(rows / perSecond),
        bytes: rows * bytesEach,
      });
    }
    return { from: version, to: newestOf(migrations), steps };
  });
}

async function unfinishedIn(connection: Connection): Promise<Set<number>> {
  if (!(await hasTable(connection, 'unfinished_fills'))) return new Set();
  const rows = await connection.all<{ version: number }>('SELECT version FROM unfinished_fills');
  return new Set(rows.map(({ version }) => version));
}

/** 0 for tables that do not exist yet. */
async function rowsIn(connection: Connection, tables: readonly string[]): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    if (await hasTable(connection, table)) rows += await countOf(connection, table);
  }
  return rows;
}
