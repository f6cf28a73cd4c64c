import { lastGiven, tablesOf } from '../../storage/keeping/tables.ts';
import { migrations } from '../../storage/migrations/index.ts';
import { ADVICE, type Check, counted } from './check.ts';

const UNSOUND = 'Stop the server, look after the disk, and restore the latest backup.';

/** What the engine itself can say, and what it is told to keep to. */
export const engineChecks: readonly Check[] = [
  {
    name: 'engine',
    says: (n) => `The file of the database is damaged in ${counted(n, 'place')}.`,
    advice: UNSOUND,
    async *run({ connection }) {
      if (connection.dialect.name !== 'sqlite') return;
      for (const row of await connection.all<{ integrity_check: string }>('PRAGMA integrity_check')) {
        if (row.integrity_check !== 'ok') yield row.integrity_check;
      }
    },
  },
  {
    name: 'references',
    says: (n) => `${counted(n, 'row refers', 'rows refer')} to others that are not there.`,
    advice: ADVICE.restore,
    async *run({ connection }) {
      if (connection.dialect.name === 'sqlite') {
        // Those of one table to another count as one line, however many they are.
        const rows = await connection.all<{ child: string; parent: string; n: number }>(
          'SELECT "table" AS child, parent, COUNT(*) AS n FROM pragma_foreign_key_check GROUP BY "table", parent',
        );
        for (const { child, parent, n } of rows) yield `${child} to ${parent} (${n})`;
        return;
      }
      for (const { example } of await connection.all<{ example: string }>(
        `SELECT CAST(CAST(conrelid AS regclass) AS text) || ': ' || conname AS example FROM pg_constraint
         WHERE NOT convalidated AND connamespace = CAST(current_schema() AS regnamespace)`,
      )) {
        yield example;
      }
    },
  },
  {
    name: 'indexes',
    says: (n) => `${counted(n, 'index is', 'indexes are')} unusable.`,
    advice: 'Make them anew with REINDEX.',
    async *run({ connection }) {
      if (connection.dialect.name !== 'postgres') return;
      for (const { example } of await connection.all<{ example: string }>(
        `SELECT CAST(CAST(indexrelid AS regclass) AS text) AS example FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE NOT (i.indisvalid AND i.indisready) AND c.relnamespace = CAST(current_schema() AS regnamespace)`,
      )) {
        yield example;
      }
    },
  },
  {
    name: 'numbers',
    says: (n) => `In ${counted(n, 'table')} numbers would be given again that are taken.`,
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
    says: (n) => `${counted(n, 'queue of events is', 'queues of events are')} ahead of the log.`,
    advice: 'Their clients would miss events: remove the rows from event_queues, and the clients register anew.',
    async *run({ connection }) {
      const events = tablesOf(migrations).find(({ name }) => name === 'events');
      const last = events ? await lastGiven(connection, events) : 0;
      const rows = await connection.all<{ id: string }>(
        'SELECT id FROM event_queues WHERE acked_seq > ? OR start_seq > ? ORDER BY id LIMIT 1000',
        [last, last],
      );
      for (const { id } of rows) yield id;
    },
  },
];
