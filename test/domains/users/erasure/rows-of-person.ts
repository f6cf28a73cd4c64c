import { tablesOf } from '../../../../lib/storage/maintenance/tables.ts';
import { migrations } from '../../../../lib/storage/migrations/index.ts';
import type { MigrationPlace } from '../../../storage/migration-places.ts';

/** The columns of each table that refer to accounts, by a foreign key or by their name. */
async function accountColumns({ sql }: MigrationPlace): Promise<Map<string, string[]>> {
  const tables = tablesOf(migrations);
  const keys =
    await sql(`SELECT s.name AS "table", k."from" AS "column" FROM sqlite_schema s, pragma_foreign_key_list(s.name) k
    WHERE s.type = 'table' AND k."table" = 'users'`);
  return new Map(
    tables.map(({ name, columns }) => {
      const referring = keys.filter(({ table }) => table === name).map(({ column }) => String(column));
      const named = columns.map((column) => column.name).filter((column) => /(^|_)(user|account|bot)_id$/.test(column));
      return [name, name === 'users' ? ['id'] : [...new Set([...referring, ...named])]];
    }),
  );
}

/** Tables of the schema, by whether they have rows that refer to an account. undefined: their rows refer to none. */
export async function tablesWithRowsOf(place: MigrationPlace, userId: number) {
  const found = new Map<string, boolean | undefined>();
  for (const [table, columns] of await accountColumns(place)) {
    const condition = columns.map((column) => `"${column}" = ${userId}`).join(' OR ');
    const [row] =
      columns.length === 0 ? [] : await place.sql(`SELECT 1 AS found FROM ${table} WHERE ${condition} LIMIT 1`);
    found.set(table, columns.length === 0 ? undefined : row !== undefined);
  }
  const named = (state: boolean | undefined) =>
    [...found].flatMap(([table, is]) => (is === state ? [table] : [])).sort();
  return { withRows: named(true), withoutRows: named(false), ofNobody: named(undefined) };
}
