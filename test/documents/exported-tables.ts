import { exportedColumns, exportedTables } from '../../lib/storage/maintenance/export-rows.ts';
import { NOT_EXPORTED } from '../../lib/storage/maintenance/exported-tables.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { newestOf } from '../../lib/storage/migrations/migration.ts';

const words = (name: string) => name.replaceAll('_', ' ');

/** The tables of a full export with their fields, and the tables that no export contains. */
export function exportedTableText(): string {
  const rows = exportedTables(newestOf(migrations))
    .filter(({ rule }) => !rule.isOnlyForPerson)
    .map(({ table, rule }) => {
      const fields = exportedColumns(table, rule).map(({ name }) => `\`${name}\``);
      return `| \`${table.name}\` | ${rule.is} | ${fields.join(', ')} |`;
    });
  const left = Object.entries(NOT_EXPORTED).map(([name, reason]) => `- ${words(name)}: ${reason}`);
  const table = ['| Table | Rows | Fields |', '| --- | --- | --- |', ...rows];
  return `${[...table, '', 'Exports do not contain:', '', ...left].join('\n')}\n`;
}
