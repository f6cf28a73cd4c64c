import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MigrationPlace } from './migration-places.ts';

/** Every byte of the files of a database, or every row of every table. */
export async function everything({ address, sql }: MigrationPlace): Promise<string> {
  if ('path' in address) {
    const folder = dirname(address.path);
    const files = (await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile());
    return (await Promise.all(files.map(({ name }) => readFile(join(folder, name), 'latin1')))).join('\n');
  }
  const tables = await sql('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
  const rows = await Promise.all(tables.map(({ name }) => sql(`SELECT t::text AS row FROM "${name}" t`)));
  return JSON.stringify(rows);
}
