import pg from 'pg';

const identifier = (name: string) => pg.escapeIdentifier(name);

/** SQL that keeps the present content of a schema aside, and SQL that puts it back, counters included. */
export async function resetScripts(pool: pg.Pool, schema: string): Promise<{ keep: string; restore: string }> {
  const here = identifier(schema);
  // In the order of creation, so that references point backwards.
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' ORDER BY oid`,
    [here],
  );
  const { rows: counters } = await pool.query<{ sequence: string; table: string; column: string }>(
    `SELECT pg_get_serial_sequence(quote_ident(table_schema) || '.' || quote_ident(table_name), column_name) AS sequence,
       table_name AS table, column_name AS column
     FROM information_schema.columns WHERE table_schema = $1 AND is_identity = 'YES'`,
    [schema],
  );
  const table = (name: string) => `${here}.${identifier(name)}`;
  const kept = (name: string) => `${here}.${identifier(`kept_${name}`)}`;
  const names = tables.map(({ name }) => name);
  return {
    keep: names.map((name) => `CREATE TABLE ${kept(name)} AS TABLE ${table(name)};`).join('\n'),
    restore: [
      'BEGIN;',
      ...[...names].reverse().map((name) => `DELETE FROM ${table(name)};`),
      ...names.map((name) => `INSERT INTO ${table(name)} OVERRIDING SYSTEM VALUE SELECT * FROM ${kept(name)};`),
      ...counters.map(
        ({ sequence, table: name, column }) =>
          `SELECT setval('${sequence}', (SELECT COALESCE(MAX(${identifier(column)}), 0) + 1 FROM ${kept(name)}), false);`,
      ),
      'COMMIT;',
    ].join('\n'),
  };
}
