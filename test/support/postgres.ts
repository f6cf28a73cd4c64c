import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { type PostgresOptions, postgres } from '../../lib/storage/postgres/postgres.ts';
import { resetScripts } from './postgres-reset.ts';
import type { PostgresServer } from './postgres-server.ts';

let privateServer: Promise<PostgresServer> | undefined;

/** The server that all test files share, or one for this file if it runs alone. */
export async function testPostgresUrl(): Promise<string> {
  const shared = process.env.PARLANCE_TEST_POSTGRES;
  if (shared) return shared;
  privateServer ??= import('./postgres-server.ts').then(({ startPostgresServer }) => startPostgresServer());
  return (await privateServer).url;
}

// Registered while the file loads, so that it belongs to the file and not to the first test.
after(async () => {
  // If this file started the server, its schemas end with it.
  for (const end of ends) await end().catch(() => undefined);
  // A failure here would skip the hooks of other files. What they started would keep the process alive.
  await privateServer?.then((server) => server.stop()).catch(() => undefined);
});

export interface PostgresPlace {
  url: string;
  schema: string;
  /** A storage over this schema, not opened. */
  storage(options?: Omit<PostgresOptions, 'schema'>): Storage;
  /** Removes the schema and its content. Close storages before. */
  drop(): Promise<void>;
}

/** A schema for one test, for storages that share one organization. The connections carry its name. */
export async function postgresPlace(): Promise<PostgresPlace> {
  const url = await testPostgresUrl();
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const named = new URL(url);
  named.searchParams.set('application_name', schema);
  return {
    url,
    schema,
    storage: (options) => postgres(named.href, { poolSize: 5, ...options, schema }),
    drop: () => asOwner(url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`),
  };
}

/** Unused schemas with all tables and no rows. */
const idle: MigratedPlace[] = [];

export interface MigratedPlace extends PostgresPlace {
  /** A storage over this schema, not opened, with connections that earlier tests have used. */
  storage(): Storage;
}

/**
 * A schema with all tables and no rows, for storages that share one organization. `drop` empties it for the next test
 * of this process: migrations take a fifth of a second, and new connections nearly as long as most tests.
 */
export async function migratedPlace(): Promise<MigratedPlace> {
  return idle.pop() ?? makeMigrated();
}

async function makeMigrated(): Promise<MigratedPlace> {
  const { url, schema, storage: once, drop } = await postgresPlace();
  const named = new URL(url);
  named.searchParams.set('application_name', schema);
  const first = once();
  await first.open();
  await first.close();
  const own = newPool(url, 1);
  const { keep, restore } = await resetScripts(own, schema);
  await own.query(keep);
  const pools: pg.Pool[] = [];
  let used = 0;
  const place: MigratedPlace = {
    url,
    schema,
    storage() {
      const pool = pools[used] ?? newPool(named.href, 5);
      pools[used++] = pool;
      return postgres({ pool }, { schema });
    },
    async drop() {
      await own.query(restore);
      used = 0;
      idle.push(place);
    },
  };
  ends.push(async () => {
    for (const pool of [own, ...pools]) await pool.end();
    await drop();
  });
  return place;
}

const ends: (() => Promise<void>)[] = [];

/** Runs one statement directly, without a storage. */
export async function asOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
