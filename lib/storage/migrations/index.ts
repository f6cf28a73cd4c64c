import type { Connection, Eventually } from '../sql/connection.ts';
import { StorageError } from '../storage-error.ts';
import { foundation } from './0001-foundation.ts';
import { messagesInFull } from './0002-messages-in-full.ts';
import { emojiImages } from './0003-emoji-images.ts';
import { linkifiers } from './0004-linkifiers.ts';
import { placesVersion } from './0005-places-version.ts';
import { playgrounds } from './0006-playgrounds.ts';
import { fillFoldedContent, foldedContent } from './0007-folded-content.ts';
import { dueWork } from './0008-due-work.ts';
import { queueHolders } from './0009-queue-holders.ts';
import { fillFollowers } from './0010-outside-reactions.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** What SQL cannot say alike on both engines. */
  fill?: (connection: Connection) => Promise<void>;
}

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'foundation', sql: foundation },
  { version: 2, name: 'messages in full', sql: messagesInFull },
  { version: 3, name: 'emoji images', sql: emojiImages },
  { version: 4, name: 'linkifiers', sql: linkifiers },
  { version: 5, name: 'places version', sql: placesVersion },
  { version: 6, name: 'playgrounds', sql: playgrounds },
  { version: 7, name: 'folded content', sql: foldedContent, fill: fillFoldedContent },
  { version: 8, name: 'due work', sql: dueWork },
  { version: 9, name: 'queue holders', sql: queueHolders },
  { version: 10, name: 'outside reactions', sql: '', fill: fillFollowers },
];

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
