import pg from 'pg';
import { startPostgresServer } from '../support/postgres-server.ts';
import type { Benchmark, Finding } from './benchmark.ts';

/** A SQLite file of 100 MB. */
const MESSAGES = 240_000;

interface Moved {
  stoppedMs: number;
  /** Longest time in which one of the writers got no message accepted. */
  longest: number;
  wholeMs: number;
  changes: number;
  refused: number;
}

export const tenantMove: Benchmark = {
  names: ['tenant_move_sqlite', 'tenant_move_postgres'],
  limitMs: 1_200_000,
  async run(kit) {
    const servers = [
      await startPostgresServer({ durable: true }),
      await startPostgresServer({ durable: true }),
    ] as const;
    try {
      const program = kit.start('moving');
      const path = kit.newDatabase();
      const bytes = await program.ask<number>('fill', { database: path, bare: kit.newDatabase(), messages: MESSAGES });
      const [one, other] = servers.map(({ url }) => ({ url, schema: 'moving' })) as [object, object];
      const findings: Finding[] = [];
      for (const [name, from, to] of [
        ['tenant_move_sqlite', { path }, one],
        ['tenant_move_postgres', one, other],
      ] as const) {
        const moved = await program.ask<Moved>('move', { from, to });
        const size = from === one ? await sizeOf(servers[0].url) : bytes;
        findings.push({
          name,
          ratios: [],
          absolute: [moved.longest],
          bound: { atMost: 2_000 },
          subject: moved.longest,
          floor: moved.stoppedMs,
          unit: 'ms',
          note: `longest time without an accepted message at 4 writers, and the stop of writes, of a move of ${Math.round(size / 1e6)} MB that took ${Math.round(moved.wholeMs / 1000)} s; ${moved.changes} rows changed meanwhile, ${moved.refused} sends were refused`,
        });
      }
      return findings;
    } finally {
      await kit.stopAll();
      for (const server of servers) await server.stop();
    }
  },
};

async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
  await client.end();
  return Number(rows[0]?.bytes);
}
