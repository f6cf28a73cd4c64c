import pg from 'pg';
import { startPostgresServer } from '../support/postgres-server.ts';
import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const TENANTS = 8;
/** Microseconds that each flush to disk waits, as on a slow disk, or with a synchronous standby far away. */
const SLOW_COMMIT = 20_000;

export const tenantsPostgres: Benchmark = {
  names: ['tenants_postgres'],
  async run(kit) {
    const { url, stop } = await startPostgresServer({ durable: true });
    try {
      const program = kit.start('postgres-tenants');
      await program.ask('start', { database: url, count: TENANTS });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`ALTER SYSTEM SET commit_delay = ${SLOW_COMMIT}`);
      await client.query('ALTER SYSTEM SET commit_siblings = 0');
      await client.query('SELECT pg_reload_conf()');
      await client.end();
      const load = (count: number) => () => program.ask<number>('send', { count, milliseconds: 1_500 });
      return [
        {
          name: 'tenants_postgres',
          ...summary(await alternate(5, 1, load(1), load(TENANTS))),
          bound: { atLeast: 3.5 },
          unit: 'messages/s',
          note: `${TENANTS} organizations in schemas of one database with commits of 20 ms, compared with one of them`,
        },
      ];
    } finally {
      await kit.stopAll();
      await stop();
    }
  },
};
