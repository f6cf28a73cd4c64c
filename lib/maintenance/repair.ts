import { type Keepable, lastGiven, lastOfSequence, tablesOf } from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import type { Connection } from '../storage/sql/connection.ts';
import type { Finding } from './checks/check.ts';
import { countFrom, fillDerived } from './restore.ts';

type Repair = (connection: Connection) => unknown;

/** SQLite names the index in each line about one. */
const ABOUT_INDEX = /\bindex\b/;

/** Makes the search index again. */
async function indexAgain(connection: Connection): Promise<void> {
  for (const name of ['message_words', 'topic_words'])
    await connection.run(
      connection.dialect.name === 'sqlite'
        ? `INSERT INTO ${name} (${name}) VALUES ('delete-all')`
        : `DELETE FROM ${name}`,
    );
  await fillDerived(connection, migrations, {});
}

/** Repairs of data that is derived from other data. The names are those of checks. */
const REPAIRS: Readonly<Record<string, Repair>> = {
  engine: async (connection) => {
    const lines = await connection.column<string>('SELECT integrity_check FROM pragma_integrity_check');
    if (lines.every((line) => ABOUT_INDEX.test(line))) await connection.run('REINDEX');
  },
  indexes: async (connection) => {
    const names = await connection.column<string>(`
      SELECT CAST(CAST(indexrelid AS regclass) AS text) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE NOT (i.indisvalid AND i.indisready) AND c.relnamespace = CAST(current_schema() AS regnamespace)`);
    for (const name of names) await connection.run(`REINDEX INDEX ${name}`);
  },
  numbers: async (connection) => {
    for (const table of tablesOf(migrations)) {
      if (!table.counted) continue;
      const given = (await lastOfSequence(connection, table.name, table.counted)) ?? 0;
      const highest = (await connection.value(`SELECT MAX(${table.counted}) FROM ${table.name}`)) ?? 0;
      if (highest > given) await countFrom(connection, table, highest);
    }
  },
  // Clients of these queues register again.
  log: async (connection) => {
    const events = tablesOf(migrations).find(({ name }) => name === 'events');
    const last = events ? await lastGiven(connection, events) : 0;
    await connection.run('DELETE FROM event_queues WHERE acked_seq > ? OR start_seq > ?', [last, last]);
  },
  // Processes that have cached accounts notice the new version.
  versions: (connection) =>
    connection.run('UPDATE organization SET users_version = (SELECT MAX(version) + 1 FROM users) WHERE id = 1'),
  ...Object.fromEntries(
    ['message', 'topic'].flatMap((one) =>
      [`search for ${one}s`, `words of absent ${one}s`, `words of ${one}s`].map((name) => [name, indexAgain]),
    ),
  ),
  'upload space': (connection) =>
    connection.run(`UPDATE upload_space SET used = (SELECT COALESCE(SUM(size), 0) FROM uploads WHERE is_complete = 1)`),
  'bot storage': async (connection) => {
    await connection.run('DELETE FROM bot_storage_sizes');
    await connection.run(`INSERT INTO bot_storage_sizes (user_id, entries, bytes)
      SELECT user_id, COUNT(*), SUM(bytes) FROM bot_storage GROUP BY user_id`);
  },
  'subscriber counts': (connection) =>
    connection.run(`UPDATE channels SET subscriber_count = (SELECT COUNT(*) FROM subscriptions s
      JOIN users u ON u.id = s.user_id WHERE s.channel_id = channels.id AND s.active = 1 AND u.is_active = 1)`),
};

/** Whether `repair` can repair what a check found, without a loss. */
export function isRepairable({ check, examples }: Finding): boolean {
  if (check === 'engine') return examples.every((example) => ABOUT_INDEX.test(example));
  return Object.hasOwn(REPAIRS, check);
}

/**
 * Repairs what a check found: counters and indexes. Servers can keep running, but their writes wait. Run `check` again
 * afterwards.
 * @throws StorageError if writing fails
 */
export async function repair(storage: Keepable, { check }: Finding): Promise<void> {
  const run = REPAIRS[check];
  if (run) await storage.change(async (connection) => run(connection));
}
