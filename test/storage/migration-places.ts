import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { Migration } from '../../lib/storage/migrations/migration.ts';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { PostgresStorage } from '../../lib/storage/postgres/postgres.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import type { SqliteDriverName } from '../../lib/storage/sqlite/driver.ts';
import { SqliteStorage } from '../../lib/storage/sqlite/sqlite.ts';
import { sqliteDrivers, withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';

type Rows = Record<string, unknown>[];

/** A database that processes of several versions use. */
export interface MigrationPlace {
  /** The address for another process. */
  address: Address;
  /** A storage of a process with these migrations, not opened. */
  storage(known: readonly Migration[]): Storage;
  /** Runs a script directly, without a storage, or one SELECT for its rows. */
  sql(script: string): Promise<Rows>;
  /** Tables, columns and indexes, in the terms of the engine. */
  shape(): Promise<unknown>;
  remove(): Promise<void>;
}

export type Address = { driver: SqliteDriverName; path: string } | { url: string; schema: string };

export function storageAt(address: Address, known: readonly Migration[] = migrations): Storage {
  return 'path' in address
    ? new SqliteStorage(address.path, { driver: address.driver }, known)
    : new PostgresStorage(newPool(address.url, 5), { schema: address.schema, ownsPool: true, known });
}

async function filePlace(driver: SqliteDriverName): Promise<MigrationPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const address = { driver, path: join(folder, 'chat.db') };
  const run = <T>(work: (connection: SqliteConnection) => T): T => {
    const connection = SqliteConnection.open(driver, address.path);
    try {
      return work(connection);
    } finally {
      connection.close();
    }
  };
  return {
    address,
    storage: (known) => storageAt(address, known),
    sql: async (script) =>
      run((connection) => {
        if (/^\s*SELECT/.test(script)) return connection.all(script).map((row) => ({ ...row }));
        connection.exec(script);
        return [];
      }),
    shape: async () => run((connection) => connection.all('SELECT type, name, sql FROM sqlite_schema ORDER BY name')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function schemaPlace(): Promise<MigrationPlace> {
  const { url, schema, drop } = await postgresPlace();
  const address = { url, schema };
  const sql = async (script: string): Promise<Rows> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query(`SET search_path TO ${schema}`);
      return (await client.query<Record<string, unknown>>(script)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    address,
    storage: (known) => storageAt(address, known),
    sql,
    shape: async () => [
      await sql(`SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
        WHERE table_schema = '${schema}' ORDER BY table_name, ordinal_position`),
      (await sql(`SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' ORDER BY indexname`)).map(
        ({ indexdef }) => String(indexdef).replaceAll(schema, ''),
      ),
    ],
    remove: drop,
  };
}

export const places = [
  ...sqliteDrivers.map(({ name, skip }) => ({ name: name as string, skip, make: () => filePlace(name) })),
  { name: 'PostgreSQL', skip: withoutPostgres, make: schemaPlace },
];
