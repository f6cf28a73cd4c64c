import pg from 'pg';
import type { OpenOptions } from '../interface/storage.ts';
import { migrate, type Unopened } from '../migrations/migrate.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import { StorageError } from '../storage-error.ts';
import { PostgresConnection } from './connection.ts';
import { checkGrants } from './grants.ts';
import { keysOf } from './keys.ts';

const DUPLICATE_TABLE = '42P07';
const NO_PRIVILEGE = '42501';

/** Migrates a schema according to the options, and returns its name. `place` names the server in errors. */
export async function prepareSchema(
  client: pg.PoolClient,
  wanted: string | undefined,
  { place, known, ...options }: OpenOptions & { place: string; known: readonly Migration[] },
): Promise<string> {
  const schema = await checkServer(client, wanted, place);
  const name = pg.escapeIdentifier(schema);
  // Without these rights, existing tables would look like none.
  await checkGrants(client, schema, { place, known });
  try {
    await migrate(unopened(client, schema, `${place}, schema ${name},`, newestOf(known)), known, options);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === NO_PRIVILEGE) throw await unprivileged(client, name, place, error);
    if (code !== DUPLICATE_TABLE) throw error;
    const message = `${place}, schema ${name}, contains tables of another application.`;
    throw new StorageError(message, 'foreign-application', { cause: error });
  }
  return schema;
}

/** Since PostgreSQL 15 only the owner of a database may create tables in its schema `public`. */
async function unprivileged(client: pg.PoolClient, schema: string, place: string, cause: unknown) {
  await client.query('ROLLBACK');
  const { rows } = await client.query<{ who: string; database: string }>(
    'SELECT quote_ident(current_user) AS who, quote_ident(current_database()) AS database',
  );
  const { who, database } = rows[0] as { who: string; database: string };
  return new StorageError(
    `${place}: ${who} may not create tables in the schema ${schema} (${(cause as Error).message}). As the owner of the database, run: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${who}; or, for a schema of its own, GRANT CREATE ON DATABASE ${database} TO ${who}; and add ?schema=chat to the address.`,
    'read-only',
    { cause },
  );
}

function unopened(client: pg.PoolClient, schema: string, place: string, knownSchema: number): Unopened {
  const keys = keysOf(schema);
  const name = pg.escapeIdentifier(schema);
  const enter = `SET LOCAL search_path TO ${name}`;
  let exists = false;
  return {
    connection: new PostgresConnection(client, { keys, sent: { statements: 0 }, knownSchema, isPreparing: false }),
    place,
    exec: (script) => client.query(script),
    async look(work) {
      await client.query(`BEGIN READ ONLY; ${enter}`);
      const result = await work();
      await client.query('COMMIT');
      return result;
    },
    /** Without timeouts: a failed migration would leave this process unusable. */
    async change(work) {
      // Sent before the statement that waits for the locks: the timeout of a running statement cannot be changed.
      await client.query(`BEGIN; ${enter}; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0`);
      await client.query(
        `SELECT pg_advisory_xact_lock(${keys.migrations}); SELECT pg_advisory_xact_lock(${keys.writers})`,
      );
      // Not CREATE SCHEMA IF NOT EXISTS: that needs a privilege even if the schema exists.
      exists ||= (await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).rowCount === 1;
      if (!exists) await client.query(`CREATE SCHEMA ${name}`);
      const result = await work();
      await client.query('COMMIT');
      return result;
    },
  };
}

/** The schema to use: the given one, or the current schema of the connection, or `public` without the right to use it. */
export async function checkServer(client: pg.PoolClient, wanted: string | undefined, place: string): Promise<string> {
  const { rows } = await client.query<{ version: string; schema: string | null; encoding: string }>(
    `SELECT current_setting('server_version_num') AS version, COALESCE(current_schema(), (
         SELECT nspname FROM pg_namespace WHERE nspname = 'public' AND current_setting('search_path') ~ '\\mpublic\\M'
       )) AS schema,
       current_setting('server_encoding') AS encoding`,
  );
  if (Number(rows[0]?.version) < 130000) {
    throw new StorageError(`${place} is older than PostgreSQL 13. Use PostgreSQL 13 or later.`, 'unsupported-engine');
  }
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new StorageError(
      `${place} has the encoding ${encoding}. Create a database for the chat: CREATE DATABASE chat ENCODING 'UTF8' TEMPLATE template0.`,
      'unsupported-engine',
    );
  }
  const schema = wanted ?? rows[0]?.schema;
  if (!schema) {
    throw new StorageError(
      `${place} has no schema in its search path. Add ?schema=chat to the address.`,
      'not-a-database',
    );
  }
  return schema;
}
