import pg from 'pg';

const identifier = (name: string) => pg.escapeIdentifier(name);

/**
 * SQL for three tasks: save the content of a schema, restore what changed since (with counters), and count the writes
 * since. Triggers record the written tables, because restoring all tables takes most of the time of a test.
 */
export async function resetScripts(
  pool: pg.Pool,
  schema: string,
): Promise<{ keep: string; restore: string; writes: string }> {
  const here = identifier(schema);
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
  const written = table('written_tables');
  const starts = table('counter_starts');
  return {
    keep: [
      `CREATE UNLOGGED TABLE ${written} (name text);`,
      `CREATE FUNCTION ${here}.note_written() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO ${written} VALUES (TG_TABLE_NAME); RETURN NULL; END $$;`,
      ...tables.flatMap(({ name }) => [
        `CREATE TABLE ${kept(name)} AS TABLE ${table(name)};`,
        `CREATE TRIGGER note_written AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table(name)}
          EXECUTE FUNCTION ${here}.note_written();`,
      ]),
      `CREATE TABLE ${starts} (counter regclass, start bigint);`,
      ...counters.map(
        ({ sequence, table: name, column }) =>
          `INSERT INTO ${starts} SELECT '${sequence}', COALESCE(MAX(${identifier(column)}), 0) + 1 FROM ${kept(name)};`,
      ),
      `CREATE PROCEDURE ${here}.restore_written() LANGUAGE plpgsql AS $$
        DECLARE table_name text;
        BEGIN
          -- Neither foreign keys nor the triggers above.
          SET LOCAL session_replication_role = replica;
          FOR table_name IN SELECT DISTINCT name FROM ${written} LOOP
            EXECUTE format('DELETE FROM ${here}.%I', table_name);
            EXECUTE format('INSERT INTO ${here}.%I OVERRIDING SYSTEM VALUE TABLE ${here}.%I', table_name, 'kept_' || table_name);
          END LOOP;
          DELETE FROM ${written};
          -- The last value is null until the counter is used.
          PERFORM setval(counter, start, false) FROM ${starts} WHERE pg_sequence_last_value(counter) IS NOT NULL;
        END $$;`,
    ].join('\n'),
    restore: `CALL ${here}.restore_written()`,
    writes: `SELECT count(*) FROM ${written}`,
  };
}
