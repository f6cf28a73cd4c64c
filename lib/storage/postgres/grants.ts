import pg from 'pg';
import { present } from '../../base/present.ts';
import { schemaOf } from '../maintenance/tables.ts';
import type { Migration } from '../migrations/migration.ts';
import { postgresDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';

/** More tables than this are granted together. */
const MAX_LISTED_OBJECTS = 5;

const TABLES = /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;

/**
 * A role without any right to change tables may still read. Otherwise it needs all rights. Sequences are continued after
 * a failover, which needs UPDATE.
 */
const MISSING = `
  WITH own AS (
    SELECT c.oid, c.relname AS name, has_table_privilege(c.oid, 'SELECT') AS may_read,
      has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
        AND has_table_privilege(c.oid, 'DELETE') AS may_write,
      has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE') AS may_change
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname = ANY($2)
  ), writer AS (SELECT COALESCE(bool_or(may_change), false) AS is_writer FROM own)
  SELECT quote_ident(current_user) AS who,
    EXISTS (SELECT FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')) AS is_outside,
    is_writer,
    ARRAY(SELECT quote_ident(name) FROM own WHERE NOT may_read OR (is_writer AND NOT may_write) ORDER BY name) AS tables,
    ARRAY(SELECT quote_ident(s.relname) FROM own JOIN pg_depend d ON d.refobjid = own.oid AND d.deptype IN ('a', 'i')
      JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
      WHERE is_writer AND NOT (has_sequence_privilege(s.oid, 'USAGE') AND has_sequence_privilege(s.oid, 'UPDATE'))
      ORDER BY s.relname) AS sequences
  FROM writer`;

interface Missing {
  who: string;
  is_outside: boolean;
  is_writer: boolean;
  tables: string[];
  sequences: string[];
}

/** @throws StorageError with the statements to run, if the role may not use the schema, its tables or its sequences */
export async function checkGrants(
  client: pg.PoolClient,
  schema: string,
  { place, known }: { place: string; known: readonly Migration[] },
): Promise<void> {
  const names = [...schemaOf(known, postgresDialect).matchAll(TABLES)].map(([, name]) => name);
  const { rows } = await client.query<Missing>(MISSING, [schema, names]);
  const { who, is_outside, is_writer, tables, sequences } = present(rows[0]);
  const name = pg.escapeIdentifier(schema);
  const rights = is_writer || is_outside ? 'SELECT, INSERT, UPDATE, DELETE' : 'SELECT';
  const statements = [
    ...(is_outside ? [`GRANT USAGE ON SCHEMA ${name} TO ${who};`] : []),
    ...grantOn('TABLE', tables, { rights, name, who }),
    ...grantOn('SEQUENCE', sequences, { rights: 'USAGE, SELECT, UPDATE', name, who }),
  ];
  if (statements.length === 0) return;
  const denied = [
    ...(is_outside ? [`the schema ${name}`] : []),
    ...summary('table', tables),
    ...summary('sequence', sequences),
  ].join(' and ');
  throw new StorageError(
    `${place}: the role ${who} may not use ${denied}. As the owner, run: ${statements.join(' ')}`,
    'read-only',
  );
}

function grantOn(
  kind: 'TABLE' | 'SEQUENCE',
  denied: readonly string[],
  { rights, name, who }: { rights: string; name: string; who: string },
): string[] {
  if (denied.length === 0) return [];
  const objects =
    denied.length > MAX_LISTED_OBJECTS
      ? `ALL ${kind}S IN SCHEMA ${name}`
      : `${kind} ${denied.map((object) => `${name}.${object}`).join(', ')}`;
  return [`GRANT ${rights} ON ${objects} TO ${who};`];
}

function summary(kind: string, [first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [`the ${kind} ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`];
}
