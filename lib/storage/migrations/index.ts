import type { Connection, Eventually } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { list } from './list.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** What SQL cannot say alike on both engines. */
  fill?: (connection: Connection) => Promise<void>;
}

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = list;

const journal = `
CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_ms INTEGER NOT NULL
) STRICT;
`;

/**
 * Brings the database up to date. The caller has opened a transaction that excludes every other
 * migrating process, and commits it afterwards. `exec` runs a script of several statements;
 * `place` names the database in errors.
 */
export async function migrate(
  connection: Connection,
  exec: (script: string) => Eventually<unknown>,
  place: string,
): Promise<void> {
  await exec(connection.dialect.schema(journal));
  const { version: current } = (await connection.get<{ version: number }>(
    'SELECT COALESCE(MAX(version), 0) AS version FROM migrations',
  )) ?? { version: 0 };
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new StorageError(
      `${place} was written by a newer version of Parlance (schema ${current}, this one knows ${newest}).`,
      'newer-version',
    );
  }
  for (const migration of migrations) {
    if (migration.version <= current) continue;
    await exec(connection.dialect.schema(migration.sql));
    await migration.fill?.(connection);
    await connection.run('INSERT INTO migrations (version, name, applied_ms) VALUES (?, ?, ?)', [
      migration.version,
      migration.name,
      Date.now(),
    ]);
  }
}
