import { counted } from '../../base/counted.ts';
import { lastGiven, tablesOf } from '../../storage/maintenance/tables.ts';
import { migrations } from '../../storage/migrations/index.ts';
import { ADVICE, type Check, once } from './check.ts';

const DAMAGE_ADVICE = 'Stop the server, check the disk, and restore the latest backup.';

/** Integrity checks of the database engine, and checks of what it should enforce. */
export const engineChecks: readonly Check[] = [
  {
    name: 'engine',
    says: (n) => `The database file is damaged in ${counted(n, 'place')}.`,
    advice: DAMAGE_ADVICE,
    run: once({
      sqlite: `SELECT integrity_check AS example FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
    }),
  },
  {
    name: 'references',
    says: (n) => `${counted(n, 'row refers', 'rows refer')} to rows that do not exist.`,
    advice: ADVICE.restore,
    run: once({
      // One example for each pair of tables.
      sqlite: `SELECT "table" || ' to ' || parent || ' (' || COUNT(*) || ')' AS example FROM pragma_foreign_key_check
        GROUP BY "table", parent`,
      postgres: `SELECT CAST(CAST(conrelid AS regclass) AS text) || ': ' || conname AS example FROM pg_constraint
        WHERE NOT convalidated AND connamespace = CAST(current_schema() AS regnamespace)`,
    }),
  },
  {
    name: 'indexes',
    says: (n) => `${counted(n, 'index is', 'indexes are')} unusable.`,
    advice: 'Rebuild them with REINDEX.',
    run: once({
      postgres: `SELECT CAST(CAST(indexrelid AS regclass) AS text) AS example FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT (i.indisvalid AND i.indisready) AND c.relnamespace = CAST(current_schema() AS regnamespace)`,
    }),
  },
  {
    name: 'numbers',
    says: (n) => `In ${counted(n, 'table')}, the next generated ID is already used.`,
    advice: ADVICE.remake,
    async *run({ connection }) {
      if (connection.dialect.name !== 'postgres') return;
      for (const table of tablesOf(migrations)) {
        if (!table.counted) continue;
        const row = await connection.get<{ given: number | null; highest: number | null }>(
          `SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence('${table.name}', '${table.counted}') AS regclass)) AS given,
             (SELECT MAX(${table.counted}) FROM ${table.name}) AS highest`,
        );
        if ((row?.highest ?? 0) > (row?.given ?? 0)) yield `${table.name}: ${row?.highest}`;
      }
    },
  },
  {
    name: 'log',
    says: (n) => `${counted(n, 'event queue is', 'event queues are')} ahead of the event log.`,
    advice: 'Their clients would miss events. DELETE these rows from event_queues; the clients then register again.',
    async *run({ connection }) {
      const events = tablesOf(migrations).find(({ name }) => name === 'events');
      const last = events ? await lastGiven(connection, events) : 0;
      const queues = await connection.column<string>(
        'SELECT id FROM event_queues WHERE acked_seq > ? OR start_seq > ? ORDER BY id LIMIT 1000',
        [last, last],
      );
      yield* queues;
    },
  },
];
