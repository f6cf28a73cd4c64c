import pg from 'pg';
import { migrate } from '../migrations/index.ts';
import { StorageError } from '../storage-error.ts';
import { PostgresConnection } from './connection.ts';
import { keysOf } from './keys.ts';

const DUPLICATE_TABLE = '42P07';

/**
 * Brings a schema up to date and returns its name; `place` names the server in errors. Processes that
 * start together wait for each other; a large migration may take its time.
 */
export async function prepareSchema(client: pg.PoolClient, wanted: string | undefined, place: string): Promise<string> {
  const schema = await checkServer(client, wanted, place);
  const keys = keysOf(schema);
  const name = pg.escapeIdentifier(schema);
  await client.query('BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
  await client.query(`SELECT pg_advisory_xact_lock(${keys.migrations})`);
  // Asked first, since making one takes a right that using one does not.
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${name}`);
  await client.query(`SET LOCAL search_path TO ${name}`);
  try {
    const connection = new PostgresConnection(client, keys, { statements: 0 });
    await migrate(connection, (script) => client.query(script), `${place}, schema ${name},`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== DUPLICATE_TABLE) throw error;
    const message = `${place}, schema ${name}, holds tables of something else.`;
    throw new StorageError(message, 'foreign-application', { cause: error });
  }
  await client.query('COMMIT');
  return schema;
}

/** The schema to use: the one wanted, or the connection's own. */
async function checkServer(client: pg.PoolClient, wanted: string | undefined, place: string): Promise<string> {
  const { rows } = await client.query<{ version: string; schema: string | null }>(
    "SELECT current_setting('server_version_num') AS version, current_schema() AS schema",
  );
  if (Number(rows[0]?.version) < 130000) {
    throw new StorageError(`${place} is older than version 13.`, 'unsupported-engine');
  }
  const schema = wanted ?? rows[0]?.schema;
  if (!schema) {
    throw new StorageError(`${place} has no schema in its search path; name one.`, 'not-a-database');
  }
  return schema;
}
