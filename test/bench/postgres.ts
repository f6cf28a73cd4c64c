import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Kit } from './kit.ts';

/** A server that waits for the disk, or none if it cannot run. */
async function durableServer() {
  const url = process.env.PARLANCE_TEST_POSTGRES;
  if (url) return { url, stop: async () => undefined };
  const { startPostgresServer } = await import('../support/postgres-server.ts');
  return startPostgresServer({ durable: true });
}

/** Provides the names of two schemas and drops them afterwards. The kit's processes end before. */
export async function withPostgres<T>(
  kit: Kit,
  work: (url: string, schemas: readonly [string, string]) => Promise<T>,
): Promise<T> {
  const { url, stop } = await durableServer();
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const schemas = [`${name}_chat`, `${name}_bare`] as const;
  try {
    return await work(url, schemas);
  } finally {
    await kit.stopAll();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await client.end();
    await stop();
  }
}
