import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Benchmark } from './benchmark.ts';
import { compareLoads, sendRequests } from './http-send.ts';

/** A server that waits for the disk, or none where it cannot be had. */
async function durableServer() {
  const url = process.env.PARLANCE_TEST_POSTGRES;
  if (url) return { url, stop: async () => undefined };
  const { startPostgresServer } = await import('../support/postgres-server.ts');
  return startPostgresServer({ durable: true });
}

export const sendPostgres: Benchmark = {
  names: ['send_postgres'],
  async run(kit) {
    const { url, stop } = await durableServer();
    const name = `bench_${randomBytes(6).toString('hex')}`;
    const schemas = [`${name}_chat`, `${name}_bare`] as const;
    try {
      const server = kit.start('chat-server');
      const made = await server.ask<{ port: number; channels: number[] }>('start', {
        database: url,
        schema: schemas[0],
        people: 1_000,
        channels: Array(10).fill(100),
      });
      const bare = kit.start('bare-postgres');
      const floor = await bare.ask<{ port: number }>('messages', { url, schema: schemas[1], people: 1_000 });
      const requests = await sendRequests(server, made.channels);
      const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], requests);
      return [
        {
          name: 'send_postgres',
          ...figures,
          note: `POST /messages on PostgreSQL, against one select and one insert by pg; ${cost}`,
        },
      ];
    } finally {
      await kit.stopAll();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
      await stop();
    }
  },
};
