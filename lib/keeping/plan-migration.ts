import { hasTable } from '../storage/keeping/copy.ts';
import type { Keepable } from '../storage/keeping/keepable.ts';
import { migrations } from '../storage/migrations/index.ts';
import { newestOf } from '../storage/migrations/migration.ts';
import type { Connection } from '../storage/sql/connection.ts';

/** What opening a database would do to it. */
export interface MigrationPlan {
  /** Number of the newest migration that the database has. */
  from: number;
  /** Number of the newest that this version knows, which the database would have. */
  to: number;
  /** In the order in which they are taken; empty where there is nothing to do. */
  steps: PlannedMigration[];
}

/** One step of a plan. */
export interface PlannedMigration {
  /** Number of the migration. */
  version: number;
  /** What it does, in a few words. */
  name: string;
  /** Processes of older versions refuse everything from then on, until they are restarted with a newer one. */
  breaking: boolean;
  /** Rows that it goes through by and by, others at work meanwhile; 0 where it is done at once. */
  rows: number;
  /** How long it takes, seconds: a rough figure for a disk and a processor of today. */
  seconds: number;
  /** Bytes by which the database grows: a rough figure. */
  bytes: number;
}

/**
 * Looks what opening a database would do to it, and does nothing of it.
 * @throws StorageError `empty` for a database without tables, `newer-version` where a newer version has migrated it
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

/** Those of an empty database, and those that an earlier one of the migrations makes, have none yet. */
async function rowsIn(connection: Connection, tables: readonly string[]): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    if (!(await hasTable(connection, table))) continue;
    rows += (await connection.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n ?? 0;
  }
  return rows;
}
