import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { codeOf } from '../../base/caught.ts';
import { type ChangeOptions, type RefillOptions, schemaOf, tablesOf } from '../maintenance/tables.ts';
import { checkKnown, hasTable } from '../migrations/migrate.ts';
import { type Migration, newestOf } from '../migrations/migration.ts';
import type { Connection } from '../sql/connection.ts';
import { postgresDialect } from '../sql/dialect.ts';
import { StorageError } from '../storage-error.ts';
import { PostgresConnection } from './connection.ts';
import { checkGrants } from './grants.ts';
import { type Keys, keysOf } from './keys.ts';
import { checkServer, createSchema, runScript, TABLE_MARK, unprivileged } from './opening.ts';
import { connect, discard, send } from './pool.ts';

interface SchemaLocation {
  pool: pg.Pool;
  schema: string | undefined;
  /** Name of the server in errors. */
  name: string;
  known: readonly Migration[];
}

/** A transaction without timeouts. */
const UNLIMITED =
  'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

export function inspectSchema<T>(
  location: SchemaLocation,
  work: (connection: Connection, version: number) => Promise<T>,
  { isOfAnyVersion = false }: { isOfAnyVersion?: boolean } = {},
): Promise<T> {
  return inTransaction(location, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async ({ connection }) => {
    if (!(await hasTable(connection, 'migrations'))) throw new StorageError(`${location.name} is empty.`, 'empty');
    const version = (await connection.value('SELECT MAX(version) FROM migrations')) ?? 0;
    if (!isOfAnyVersion) checkKnown(version, location.known, location.name);
    return work(connection, version);
  });
}

/** Milliseconds of one attempt to get a lock. The writes of all processes queue behind it. */
const LOCK_MS = 2_000;
const LOCK_ATTEMPTS = 5;
const LOCK_TIMEOUT = '55P03';

export async function changeSchema<T>(
  location: SchemaLocation,
  work: (connection: Connection) => Promise<T>,
  { isShared = false, ignoresReferences = false }: ChangeOptions = {},
): Promise<T> {
  const attempt = () =>
    inTransaction(location, 'BEGIN', async ({ client, schema, keys, connection }) => {
      const lock = isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}; SELECT ${lock}(${keys.writers})`);
      const references = ignoresReferences ? await withoutReferences(client, schema, { isUnchecked: true }) : [];
      const result = await work(connection);
      for (const reference of references) await client.query(reference);
      return { result, keys };
    });
  for (let attempts = 1; ; attempts++) {
    try {
      const { result, keys } = await attempt();
      if (!isShared) await wake(location.pool, keys);
      return result;
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT || attempts === LOCK_ATTEMPTS) throw error;
      await delay(LOCK_MS * Math.random());
    }
  }
}

/** Without the hint, other processes notice the commit somewhat later. */
async function wake(pool: pg.Pool, { commits, dueWork }: Keys): Promise<void> {
  const client = await connect(pool);
  await send(client, `SELECT pg_notify('${commits}', 'change'); SELECT pg_notify('${dueWork}', 'change')`).then(
    () => client.release(),
    () => discard(client),
  );
}

export function checkSchemaReferences(location: SchemaLocation): Promise<void> {
  return inTransaction(location, 'BEGIN', async ({ client, schema }) => {
    const { rows } = await client.query<{ table: string; name: string }>(
      `SELECT c.relname AS "table", f.conname AS name
       FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE f.contype = 'f' AND NOT f.convalidated AND n.nspname = $1`,
      [schema],
    );
    for (const { table, name } of rows) {
      const check = `ALTER TABLE ${pg.escapeIdentifier(table)} VALIDATE CONSTRAINT ${pg.escapeIdentifier(name)}`;
      await client.query(check).catch((error: { code?: unknown; message: string }) => {
        if (error.code !== BROKEN_REFERENCE) throw error;
        throw new StorageError(`${location.name}: ${error.message}.`, 'io', { cause: error });
      });
    }
  });
}

const BROKEN_REFERENCE = '23503';

/** Drops and recreates the tables in one transaction. */
export function refillSchema<T>(
  location: SchemaLocation,
  { version, checkReplaceable }: RefillOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return inTransaction(location, 'BEGIN', async ({ client, schema, keys, connection }) => {
    await client.query(`SELECT pg_advisory_xact_lock(${keys.migrations})`);
    await checkUnused(client, keys, location.name);
    await client.query(`SELECT pg_advisory_xact_lock(${keys.writers})`);
    await createSchema(client, schema);
    const name = await organizationIn(connection, location.name);
    if (name !== undefined) checkReplaceable(name);
    const known = location.known.filter((each) => each.version <= version);
    const own = [...tablesOf(location.known).map((table) => table.name), 'message_words', 'topic_words'];
    const existing = await tablesIn(client, schema, own);
    if (existing.length > 0) await client.query(`DROP TABLE ${existing.join(', ')} CASCADE`);
    await runScript(client, schemaOf(known, postgresDialect));
    const tables = tablesOf(known).map((table) => table.name);
    await client.query(`TRUNCATE ${tables.join(', ')}`);
    const references = await withoutReferences(client, schema);
    const result = await work(connection);
    for (const reference of references) await client.query(reference);
    await gatherStatistics(client, schema, own);
    return result;
  });
}

/** @throws StorageError `busy` if a process has the storage open: each holds a shared lock while it listens */
async function checkUnused(client: pg.PoolClient, keys: Keys, name: string): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${keys.servers}) AS free`);
  if (!rows[0]?.free) throw new StorageError(`${name} is in use: a server or another command has it open.`, 'busy');
}

async function organizationIn(connection: Connection, name: string): Promise<string | undefined> {
  if (!(await hasTable(connection, 'organization'))) return undefined;
  if (!(await hasTable(connection, 'unfinished_fills'))) {
    throw new StorageError(`${name} contains tables of another application.`, 'foreign-application');
  }
  return (await connection.get<{ name: string }>('SELECT name FROM organization'))?.name;
}

/** The tables of the chat in a schema, also those of a newer version. The host's program may have tables beside them. */
async function tablesIn(client: pg.PoolClient, schema: string, own: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' AND (c.relname = ANY($2) OR obj_description(c.oid, 'pg_class') = $3)`,
    [schema, own, TABLE_MARK],
  );
  return rows.map(({ name }) => pg.escapeIdentifier(name));
}

/**
 * Drops the foreign keys. Returns the statements that add them again. These check all rows unless `isUnchecked`.
 */
async function withoutReferences(
  client: pg.PoolClient,
  schema: string,
  { isUnchecked = false } = {},
): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname AS "table", f.conname AS name, pg_get_constraintdef(f.oid) AS definition
     FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE f.contype = 'f' AND n.nspname = $1 ORDER BY c.relname, f.conname`,
    [schema],
  );
  const each = (change: (name: string, definition: string) => string) =>
    rows.map(
      ({ table, name, definition }) =>
        `ALTER TABLE ${pg.escapeIdentifier(table)} ${change(pg.escapeIdentifier(name), definition)}`,
    );
  for (const statement of each((name) => `DROP CONSTRAINT ${name}`)) await client.query(statement);
  const unchecked = isUnchecked ? ' NOT VALID' : '';
  return each((name, definition) => `ADD CONSTRAINT ${name} ${definition.replace(/ NOT VALID$/, '')}${unchecked}`);
}

/** Without statistics, PostgreSQL would plan as for almost empty tables until autovacuum runs. */
async function gatherStatistics(client: pg.PoolClient, schema: string, own: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename = ANY($2)',
    [schema, own],
  );
  await client.query(`ANALYZE ${rows.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
}

interface Entered {
  client: pg.PoolClient;
  schema: string;
  keys: Keys;
  connection: Connection;
}

async function inTransaction<T>(
  location: SchemaLocation,
  begin: string,
  work: (entered: Entered) => Promise<T>,
): Promise<T> {
  const client = await connect(location.pool);
  // Between two statements, nothing else keeps the process alive.
  const alive = setInterval(() => undefined, 60_000);
  let schema = '';
  try {
    schema = await checkServer(client, location.schema, location.name);
    await checkGrants(client, schema, { place: location.name, known: location.known });
    const keys = keysOf(schema);
    await client.query(`${begin}; SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}; ${UNLIMITED}`);
    const connection = new PostgresConnection(client, {
      keys,
      sent: { statements: 0 },
      knownSchema: newestOf(location.known),
      isPreparing: false,
    });
    const result = await work({ client, schema, keys, connection });
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const refused = await unprivileged(client, schema, location.name, error);
    discard(client);
    throw refused;
  } finally {
    clearInterval(alive);
  }
}
