import pg from 'pg';
import { codeOf } from '../../base/caught.ts';
import { present } from '../../base/present.ts';
import { SKIPPED_IDS, SKIPPED_IDS_OF_LARGE_TABLES } from '../maintenance/skipped-ids.ts';
import { migrations } from '../migrations/index.ts';
import type { Keys } from './keys.ts';
import { send } from './pool.ts';

/**
 * Positions of the log that are skipped when the database continues from an older state. New events then differ from
 * lost events that a client has received. More than a standby lacks, and fewer than the 100,000 after which a queue
 * expires.
 */
const LOST_EVENTS = 50_000;
/** The same for the versions that caches compare. */
const LOST_VERSIONS = 1_000_000;

/** Tables with generated IDs, and how many IDs to skip. Without the log, which has positions. */
export function idsToSkip(): ReadonlyMap<string, number> {
  const declared = migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (\w+) \(\s*id (LOG_)?ID\b/g)]);
  return new Map(
    declared.map(([, table, isLarge]) => [present(table), isLarge ? SKIPPED_IDS_OF_LARGE_TABLES : SKIPPED_IDS]),
  );
}

/** A process of another version may have added or removed tables. */
const SKIP_IDS = `SELECT setval(sequence, nextval(sequence) + skipped) FROM (
  SELECT CAST(pg_get_serial_sequence(name, 'id') AS regclass) AS sequence, skipped
  FROM (VALUES ${[...idsToSkip()].map((row) => `('${row.join("', ")})`).join(', ')}) AS given (name, skipped)
  WHERE to_regclass(name) IS NOT NULL OFFSET 0) AS known`;

/** Error codes if the server does not have these functions, or the role may not call them. */
const UNSUPPORTED = new Set(['0A000', '42501', '42883', '55000']);
const READ_ONLY = '25006';

/**
 * Identifies the history that a connection reads: system identifier, timeline, table. A promoted standby has another
 * timeline, another cluster another identifier, and a restored dump another table. Returns undefined on a standby, and
 * if the server does not support the query.
 */
export async function originOf(client: pg.PoolClient, schema: string): Promise<string | undefined> {
  const table = pg.escapeLiteral(`${pg.escapeIdentifier(schema)}.event_log`);
  try {
    const { rows } = await send(
      client,
      `SELECT CASE WHEN NOT pg_is_in_recovery() THEN concat_ws('.', (SELECT system_identifier FROM pg_control_system()),
         left(pg_walfile_name(pg_current_wal_lsn()), 8), to_regclass(${table})::oid) END AS origin`,
    );
    return rows[0]?.origin ?? undefined;
  } catch (error) {
    if (!UNSUPPORTED.has(codeOf(error) ?? '')) throw error;
    return undefined;
  }
}

/**
 * Stores the history that the log belongs to. If it differs from the stored one, the newest part of the log may be
 * missing. Then the log continues after the positions that the missing part may have used. New records get IDs after
 * those of lost records, and the versions continue after those in any cache. The first process that connects does this,
 * before any process writes. Does nothing on a read-only database.
 */
export async function storeOrigin(client: pg.PoolClient, schema: string, keys: Keys, origin: string): Promise<void> {
  await send(client, `BEGIN; SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`);
  try {
    await send(client, `SELECT pg_advisory_xact_lock(${keys.writers}); SELECT pg_advisory_xact_lock(${keys.appends})`);
    const { rows } = await send(client, 'SELECT origin FROM event_log');
    const known: string | null = rows[0]?.origin ?? null;
    if (known !== null && known !== origin) {
      const after = 'GREATEST(lost_to, (SELECT COALESCE(MAX(seq), 0) FROM events))';
      const lost = await send(
        client,
        `UPDATE event_log SET lost_after = ${after}, lost_to = ${after} + ${LOST_EVENTS} RETURNING lost_to`,
      );
      await send(client, `SELECT setval(pg_get_serial_sequence('events', 'seq'), ${lost.rows[0]?.lost_to})`);
      await send(
        client,
        `UPDATE organization SET version = version + ${LOST_VERSIONS}, users_version = users_version + ${LOST_VERSIONS},
           places_version = places_version + ${LOST_VERSIONS}, readers_version = readers_version + ${LOST_VERSIONS},
           push_version = push_version + ${LOST_VERSIONS}`,
      );
      await send(client, SKIP_IDS);
    }
    if (known !== origin) await send(client, `UPDATE event_log SET origin = ${pg.escapeLiteral(origin)}`);
    await send(client, 'COMMIT');
  } catch (error) {
    await send(client, 'ROLLBACK').catch(() => undefined);
    if (codeOf(error) !== READ_ONLY) throw error;
  }
}
