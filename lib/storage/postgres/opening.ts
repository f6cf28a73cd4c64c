import pg from 'pg';
import { codeOf, errorOf } from '../../base/caught.ts';
import { present } from '../../base/present.ts';
import type { OpenOptions } from '../interface/storage.ts';
import { migrate, type Unopened } from '../migrations/migrate.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import { StorageError } from '../storage-error.ts';
import { PostgresConnection } from './connection.ts';
import { checkGrants } from './grants.ts';
import { keysOf } from './keys.ts';
import { send } from './pool.ts';

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
    if (codeOf(error) !== DUPLICATE_TABLE) throw await unprivileged(client, schema, place, error);
    const message = `${place}, schema ${name}, contains tables of another application.`;
    throw new StorageError(message, 'foreign-application', { cause: error });
  }
  return schema;
}

/**
 * The error for a missing privilege, with what to do. Other errors are returned as they are. Since PostgreSQL 15 only
 * the owner of a database may create tables in its schema `public`.
 */
export async function unprivileged(client: pg.PoolClient, schema: string, place: string, cause: unknown) {
  if (codeOf(cause) !== NO_PRIVILEGE) return cause;
  await client.query('ROLLBACK');
  const { rows } = await client.query<{ who: string; database: string; owner: string | null }>(
    `SELECT quote_ident(current_user) AS who, quote_ident(current_database()) AS database, (
       SELECT quote_ident(tableowner) FROM pg_tables WHERE schemaname = $1 AND tablename = 'organization') AS owner`,
    [schema],
  );
  const { who, database, owner } = present(rows[0]);
  const name = pg.escapeIdentifier(schema);
  const problem = errorOf(cause).message;
  if (owner !== null && owner !== who)
    return new StorageError(
      `${place}: ${who} may not change the tables in the schema ${name} (${problem}). Use the address of their owner, ${owner}.`,
      'read-only',
      { cause },
    );
  return new StorageError(
    `${place}: ${who} may not create tables in the schema ${name} (${problem}). As the owner of the database, run: GRANT USAGE, CREATE ON SCHEMA ${name} TO ${who}; or, for a schema of its own, GRANT CREATE ON DATABASE ${database} TO ${who}; and add ?schema=chat to the address.`,
    'read-only',
    { cause },
  );
}

/** Not CREATE SCHEMA IF NOT EXISTS: that needs a privilege even if the schema exists. */
export async function createSchema(client: pg.PoolClient, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
}

/** The comment on each table of the chat. An older version does not know the names of all tables that it must replace. */
export const TABLE_MARK = 'Parlance';

/**
 * Runs a script of migrations and marks the tables that it creates. Sends the statements one by one, without waiting for
 * the answers of earlier ones.
 */
export async function runScript(client: pg.PoolClient, script: string): Promise<void> {
  const statements = statementsOf(script).flatMap((statement) => {
    const [, table] = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement) ?? [];
    return table ? [statement, `COMMENT ON TABLE ${table} IS '${TABLE_MARK}'`] : [statement];
  });
  // All have answered before the caller rolls back. The first failure is the cause of the others.
  const answers = await Promise.allSettled(statements.map((statement) => send(client, statement)));
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}

/** In migrations, a semicolon ends a statement only at the end of a line, and comments have lines of their own. */
const statementsOf = (script: string) =>
  script
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

function unopened(client: pg.PoolClient, schema: string, place: string, knownSchema: number): Unopened {
  const keys = keysOf(schema);
  const name = pg.escapeIdentifier(schema);
  const enter = `SET LOCAL search_path TO ${name}`;
  let exists = false;
  return {
    connection: new PostgresConnection(client, { keys, sent: { statements: 0 }, knownSchema, isPreparing: false }),
    place,
    exec: (script) => runScript(client, script),
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
      if (!exists) await createSchema(client, schema);
      exists = true;
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
